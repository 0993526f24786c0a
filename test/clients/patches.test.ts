import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { patched } from '../support/http/patched-client.ts';

describe('a value that is unknown to a client', () => {
  test('is read as the unknown value by PHP, without an exception', () => {
    const generated = `
        if (method_exists($class, 'getAllowableEnumValues')) {
            if (!in_array($data, $class::getAllowableEnumValues(), true)) {
                $imploded = implode("', '", $class::getAllowableEnumValues());
                throw new \\InvalidArgumentException("Invalid value for enum '$class', must be one of: '$imploded'");
            }
            return $data;`;
    assert.equal(
      patched('php', generated),
      `
        if (method_exists($class, 'getAllowableEnumValues')) {
            if (!in_array($data, $class::getAllowableEnumValues(), true)) {
                return $class::UNKNOWN_DEFAULT_OPEN_API;
            }
            return $data;`,
    );
  });

  test('is read as the unknown value by C#, in a separate enum and in one of a model', () => {
    const generated = (name: string, prefix: string, otherwise: string) => `
        public static ${name}? ${prefix}FromStringOrDefault(string value)
        {
            if (value.Equals("paid"))
                return ${name}.Paid;

            ${otherwise};
        }
        public override ${name}? Read(ref Utf8JsonReader reader)
        {
            return null;
        }`;
    const enums = [
      ['PaymentStatus', ''],
      ['AlgEnum', 'AlgEnum'],
    ] as const;
    const text = (otherwise: (name: string) => string) =>
      enums.map(([name, prefix]) => generated(name, prefix, otherwise(name))).join('\n');
    assert.equal(
      patched(
        'csharp',
        text(() => 'return null'),
      ),
      text((name) => `return ${name}.UnknownDefaultOpenApi`),
    );
  });

  test('is read as the unknown value by Ruby, whose generated code is otherwise unchanged', () => {
    const ruby = (otherwise: string) => `
      return value if PaymentStatus.all_vars.include?(value)
      ${otherwise}
    end`;
    assert.equal(
      patched('ruby', ruby('raise "Invalid ENUM value #{value} for class #PaymentStatus"')),
      ruby('UNKNOWN_DEFAULT_OPEN_API'),
    );
  });
});

describe('an omitted body is not sent', () => {
  test('as null by Java and Go', () => {
    const java = 'byte[] localVarPostBody = ';
    const written = 'memberVarObjectMapper.writeValueAsBytes(refundCreate);';
    assert.equal(
      patched('java', `${java}${written}`),
      `${java}refundCreate == null ? new byte[0] : ${written}`,
    );
    assert.equal(
      patched('go', '\t// body params\n\tlocalVarPostBody = r.refundCreate\n\treq, err :='),
      '\t// body params\n\tif r.refundCreate != nil {\n\t\tlocalVarPostBody = r.refundCreate\n\t}\n\treq, err :=',
    );
  });

  test('as null by Rust, which still sends required bodies', () => {
    const rust = (refund: string) => `
pub async fn list_payments(status: Option<models::PaymentStatus>) -> Result<models::PaymentPage> {
    let p_query_status = status;
}
pub async fn create_refund(id: &str, refund_create: Option<models::RefundCreate>) -> Result<models::Refund> {
    let p_body_refund_create = refund_create;
    ${refund}
}
pub async fn create_order(order_create: models::OrderCreate, key: Option<&str>) -> Result<models::Order> {
    req_builder = req_builder.json(&p_body_order_create);
}`;
    assert.equal(
      patched('rust', rust('req_builder = req_builder.json(&p_body_refund_create);')),
      rust(
        'if let Some(ref body) = p_body_refund_create {\n        req_builder = req_builder.json(body);\n    }',
      ),
    );
  });
});

test('a key of metadata can be removed by Rust', () => {
  const update = (value: string) => `
    pub metadata: Option<std::collections::HashMap<String, ${value}>>,`;
  assert.equal(patched('rust', update('String')), update('Option<String>'));
});
