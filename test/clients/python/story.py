import base64
import hashlib
import json
import os
import uuid

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

import centavo


def client(url: str) -> centavo.ApiClient:
    return centavo.ApiClient(
        centavo.Configuration(host=f"{url}/api/v1", access_token=os.environ["CENTAVO_KEY"])
    )


def encrypt(card: dict, key: str) -> str:
    """AES-256-CBC, padded as PKCS#7, in base64."""
    iv = hashlib.md5(key.encode()).hexdigest()[:16]
    padder = PKCS7(128).padder()
    padded = padder.update(json.dumps({"cardData": card}).encode()) + padder.finalize()
    cipher = Cipher(algorithms.AES(key.encode()), modes.CBC(iv.encode())).encryptor()
    return base64.b64encode(cipher.update(padded) + cipher.finalize()).decode()


url = os.environ["CENTAVO_URL"]
api = client(url)
payments = centavo.PaymentsApi(api)
orders = centavo.OrdersApi(api)
run = uuid.uuid4()

# A customer. A boleto needs the document and the address.
address = centavo.CustomerAddress(
    type=centavo.AddressType.BILLING,
    postal_code="01310100",
    line_1="Avenida Paulista",
    number="1000",
    neighborhood="Bela Vista",
    city="São Paulo",
    state="SP",
    country="BR",
)
document = centavo.CustomerDocument(type=centavo.CustomerDocumentType.CPF, value="52998224725")
customer = centavo.CustomersApi(api).create_customer(
    centavo.CustomerCreate(
        name="Ana Souza",
        email=f"ana-{run}@example.com",
        documents=[document],
        addresses=[address],
    )
)
print(f"customer: {customer.name}")

# A card, encrypted.
plain = {
    "number": "4242424242424242",
    "holder": "ANA SOUZA",
    "expMonth": "08",
    "expYear": "39",
    "securityCode": "123",
}
encrypted = encrypt(plain, os.environ["CENTAVO_ENCRYPTION_KEY"])
card = centavo.CardsApi(api).create_card(
    centavo.CardCreate(customer_id=customer.id, encrypted=encrypted)
)
print(f"card: {card.brand.value} {card.last_4}")


def order(code: str, payment: centavo.PaymentCreate) -> centavo.Order:
    """The key makes it safe to send again after a time-out."""
    body = centavo.OrderCreate(
        code=code, mcc="5734", customer=centavo.OrderCustomer(id=customer.id), payment=payment
    )
    return orders.create_order(body, idempotency_key=code)


# An order by card.
by_card = order(
    f"card-{run}",
    centavo.PaymentCreate(
        amount=15990,
        payment_method=centavo.OrderPaymentMethod.CREDIT_CARD,
        credit_card=centavo.CreditCardPaymentCreate(id=card.id),
    ),
)
print(f"order by card: {by_card.payment.status.value}")

# An order by Pix, and the buyer pays it.
by_pix = order(
    f"pix-{run}",
    centavo.PaymentCreate(amount=4990, payment_method=centavo.OrderPaymentMethod.PIX),
)
print(f"order by Pix: {by_pix.payment.status.value}")
paid = centavo.SandboxApi(api).simulate_payment(
    str(by_pix.payment.id), centavo.PaymentSimulation(outcome=centavo.SimulatedOutcome.PAID)
)
print(f"simulated: {paid.status.value}")

# An order by boleto, of which two recipients get 20 % each.
recipients = centavo.RecipientsApi(api).list_recipients(
    status=centavo.RecipientStatus.APPROVED, per_page=2
)
split = [
    centavo.SplitLineCreate(
        recipient_id=recipient.id, type=centavo.SplitType.PERCENTAGE, amount=20
    )
    for recipient in recipients.data
]
boleto = order(
    f"boleto-{run}",
    centavo.PaymentCreate(
        amount=10000, payment_method=centavo.OrderPaymentMethod.BANK_SLIP, split=split
    ),
).payment
print(f"order by boleto: {boleto.bank_slip.digitable_line}")
shares = " ".join(str(line.share_amount) for line in boleto.split)
print(f"split: {shares}, own {boleto.merchant_amount}")

# A link at which a buyer pays by Pix.
link = centavo.LinksApi(api).create_payment_link(
    centavo.PaymentLinkCreate(
        title="Workshop",
        amount_type=centavo.PaymentLinkAmountType.FIXED,
        amount=15990,
        payment_methods=[centavo.PaymentLinkMethod.PIX],
    )
)
print(f"payment link: {link.url}")

# All payments of the customer, one per page.
amounts = []
cursor = None
while True:
    page = payments.list_payments(customer_id=customer.id, per_page=1, cursor=cursor)
    amounts += [str(payment.amount) for payment in page.data]
    cursor = page.pagination.next_cursor
    if cursor is None:
        break
print(f"list: {' '.join(amounts)}")

# A part of the money goes back.
card_payment = str(by_card.payment.id)
payments.create_refund(card_payment, refund_create=centavo.RefundCreate(amount=1990))
refunded = payments.get_payment(card_payment)
print(f"refund: {refunded.status.value} {refunded.refunded_amount}")

# More than is left: the refusal says which field is wrong, and why.
try:
    payments.create_refund(card_payment, refund_create=centavo.RefundCreate(amount=15990))
except centavo.ApiException as error:
    refusal: centavo.ValidationOrKeyError = error.data
    print(f"refusal: {error.status} {refusal.errors['amount'][0]}")

# A later version of the service may know more statuses and fields than this client does.
later_api = client(os.environ.get("CENTAVO_LATER_URL", url))
later = centavo.PaymentsApi(later_api).get_payment(str(by_pix.payment.id))
print(f"later: {later.status.value} {later.amount}")
