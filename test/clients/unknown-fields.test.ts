import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { patched } from '../support/http/patched-client.ts';

describe('a field that is not in the contract', () => {
  const python = (config: string, read: string, open = '') => `
class It(BaseModel):
    amount: Optional[int] = None
${open}    model_config = ConfigDict(
        protected_namespaces=(),
${config}    )
    def from_dict(cls, obj):
${read}        _obj = cls.model_validate({
            "amount": obj.get("amount")
        })`;
  const forbidden = '        extra="forbid",\n';

  test('is refused in requests by Python', () => {
    const refusal = [
      '        for _key in obj:',
      '            if _key not in cls.__properties:',
      '                raise ValueError(f"{cls.__name__} has no field {_key}")\n',
    ];
    assert.equal(patched('python', python('', '')), python(forbidden, refusal.join('\n')));
  });

  test('is refused in requests by PHP', () => {
    const php = (refusal: string) => `
    public function __construct(?array $data = null)
    {
${refusal}        $this->setIfExists('amount', $data ?? [], null);
    }`;
    const refusal = [
      '        foreach (array_keys(array_diff_key($data ?? [], self::$attributeMap)) as $name) {',
      '            throw new \\InvalidArgumentException(self::class . " has no field $name");',
      '        }\n',
    ];
    assert.equal(patched('php', php('')), php(refusal.join('\n')));
  });

  test('cannot be set in PHP by an offset or a property', () => {
    const php = (properties: string, offsets: string) => `
        return $this;
    }
${properties}    /**
     * Returns true if offset exists. False otherwise.
     */
    public function offsetSet($offset, $value): void
    {
${offsets}        if (is_null($offset)) {`;
    const properties = [
      '',
      '    /** Only setters and offsets write fields. A property would not be sent. */',
      '    public function __set(string $name, mixed $value): void',
      '    {',
      '        throw new \\InvalidArgumentException(self::class . " has no property $name");',
      '    }\n\n',
    ];
    const offsets = [
      "        if (!array_key_exists($offset ?? '', self::$attributeMap)) {",
      '            throw new \\InvalidArgumentException(self::class . " has no field $offset");',
      '        }\n',
    ];
    assert.equal(patched('php', php('', '')), php(properties.join('\n'), offsets.join('\n')));
  });

  test('is refused in requests by TypeScript', () => {
    const body = (helper: string, refusal: string) => `
import { ${helper}mapValues } from '../runtime.js';
export function PhoneToJSONTyped(value?: Phone | null, ignoreDiscriminator: boolean = false): any {
    if (value == null) {
        return value;
    }
${refusal}
    return {
        'ddd': value['ddd'],
        'line_1': value['line1'] == null ? undefined : value['line1'],
    };
}`;
    const refusal = "    allowOnly('Phone', value, ['ddd', 'line1']);\n";
    assert.equal(patched('typescript', body('', '')), body('allowOnly, ', refusal));
    const request = (names: string) => `
    async cancelPaymentRequestOpts(requestParameters: CancelPaymentRequest): Promise<runtime.RequestOpts> {
${names}        if (requestParameters['id'] == null) {
        }
        key = requestParameters['idempotencyKey'];
        headerParameters['Content-Type'] = 'application/json';
    }
    async otherRequestOpts(): Promise<runtime.RequestOpts> {
    }`;
    const names =
      "        runtime.allowOnly('cancelPayment', requestParameters, ['id', 'idempotencyKey']);\n";
    assert.equal(patched('typescript', request('')), request(names));
  });

  test('is accepted in answers by Python', () => {
    const open = '    additional_properties: Dict[str, Any] = {}\n';
    assert.equal(patched('python', python('', '', open)), python(forbidden, '', open));
  });
});
