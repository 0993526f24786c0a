import com.centavo.ApiClient;
import com.centavo.ApiException;
import com.centavo.api.*;
import com.centavo.model.*;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

public class Story {
  static final String URL = System.getenv("CENTAVO_URL");
  static final String LATER_URL = System.getenv().getOrDefault("CENTAVO_LATER_URL", URL);
  static final String KEY = System.getenv("CENTAVO_KEY");
  static final String ENCRYPTION_KEY = System.getenv("CENTAVO_ENCRYPTION_KEY");

  static ApiClient client(String url) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url + "/api/v1");
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + KEY));
    return client;
  }

  /** AES-256-CBC, padded as PKCS#7, in base64. */
  static String encrypt(String plain) throws Exception {
    byte[] key = ENCRYPTION_KEY.getBytes(StandardCharsets.US_ASCII);
    String md5 = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(key));
    IvParameterSpec iv = new IvParameterSpec(md5.substring(0, 16).getBytes(StandardCharsets.US_ASCII));
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), iv);
    return Base64.getEncoder().encodeToString(cipher.doFinal(plain.getBytes(StandardCharsets.UTF_8)));
  }

  /** The key makes it safe to send again after a time-out. */
  static Order order(ApiClient api, UUID customer, String code, PaymentCreate payment) throws ApiException {
    OrderCreate body = new OrderCreate()
        .code(code)
        .mcc("5734")
        .customer(new OrderCustomer().id(customer))
        .payment(payment);
    return new OrdersApi(api).createOrder(OrdersApi.APICreateOrderRequest.newBuilder()
        .idempotencyKey(code).orderCreate(body).build());
  }

  static Refund refund(PaymentsApi payments, UUID payment, long amount) throws ApiException {
    return payments.createRefund(PaymentsApi.APICreateRefundRequest.newBuilder()
        .identifier(payment.toString()).refundCreate(new RefundCreate().amount(amount)).build());
  }

  static Payment payment(PaymentsApi payments, UUID id) throws ApiException {
    return payments.getPayment(PaymentsApi.APIGetPaymentRequest.newBuilder().identifier(id.toString()).build());
  }

  public static void main(String[] args) throws Exception {
    ApiClient api = client(URL);
    PaymentsApi payments = new PaymentsApi(api);
    UUID run = UUID.randomUUID();

    // A customer. A boleto needs the document and the address.
    CustomerAddress address = new CustomerAddress()
        .type(AddressType.BILLING)
        .postalCode("01310100")
        .line1("Avenida Paulista")
        .number("1000")
        .neighborhood("Bela Vista")
        .city("São Paulo")
        .state("SP")
        .country("BR");
    CustomerCreate newCustomer = new CustomerCreate()
        .name("Ana Souza")
        .email("ana-" + run + "@example.com")
        .addDocumentsItem(new CustomerDocument().type(CustomerDocumentType.CPF).value("52998224725"))
        .addAddressesItem(address);
    Customer customer = new CustomersApi(api).createCustomer(
        CustomersApi.APICreateCustomerRequest.newBuilder().customerCreate(newCustomer).build());
    System.out.println("customer: " + customer.getName());

    // A card, encrypted.
    String encrypted = encrypt("""
        {"cardData": {"number": "4242424242424242", "holder": "ANA SOUZA",
          "expMonth": "08", "expYear": "39", "securityCode": "123"}}""");
    Card card = new CardsApi(api).createCard(CardsApi.APICreateCardRequest.newBuilder()
        .cardCreate(new CardCreate().customerId(customer.getId()).encrypted(encrypted)).build());
    System.out.println("card: " + card.getBrand() + " " + card.getLast4());

    // An order by card.
    Order byCard = order(api, customer.getId(), "card-" + run, new PaymentCreate()
        .amount(15990L)
        .paymentMethod(OrderPaymentMethod.CREDIT_CARD)
        .creditCard(new CreditCardPaymentCreate().id(card.getId())));
    System.out.println("order by card: " + byCard.getPayment().getStatus());

    // An order by Pix, and the buyer pays it.
    Order byPix = order(api, customer.getId(), "pix-" + run, new PaymentCreate()
        .amount(4990L)
        .paymentMethod(OrderPaymentMethod.PIX));
    System.out.println("order by Pix: " + byPix.getPayment().getStatus());
    UUID pixPayment = byPix.getPayment().getId();
    Payment paid = new SandboxApi(api).simulatePayment(SandboxApi.APISimulatePaymentRequest.newBuilder()
        .identifier(pixPayment.toString())
        .paymentSimulation(new PaymentSimulation().outcome(SimulatedOutcome.PAID)).build());
    System.out.println("simulated: " + paid.getStatus());

    // An order by boleto, of which two recipients get 20 % each.
    RecipientPage recipients = new RecipientsApi(api).listRecipients(
        RecipientsApi.APIListRecipientsRequest.newBuilder().status(RecipientStatus.APPROVED).perPage(2).build());
    PaymentCreate shared = new PaymentCreate().amount(10000L).paymentMethod(OrderPaymentMethod.BANK_SLIP);
    for (Recipient recipient : recipients.getData()) {
      shared.addSplitItem(
          new SplitLineCreate().recipientId(recipient.getId()).type(SplitType.PERCENTAGE).amount(20L));
    }
    var boleto = order(api, customer.getId(), "boleto-" + run, shared).getPayment();
    System.out.println("order by boleto: " + boleto.getBankSlip().getDigitableLine());
    var shares = boleto.getSplit().stream().map(line -> line.getShareAmount().toString()).toList();
    System.out.println("split: " + String.join(" ", shares) + ", own " + boleto.getMerchantAmount());

    // A link at which a buyer pays by Pix.
    PaymentLinkCreate newLink = new PaymentLinkCreate()
        .title("Workshop")
        .amountType(PaymentLinkAmountType.FIXED)
        .amount(15990L)
        .addPaymentMethodsItem(PaymentLinkMethod.PIX);
    PaymentLink link = new LinksApi(api).createPaymentLink(
        LinksApi.APICreatePaymentLinkRequest.newBuilder().paymentLinkCreate(newLink).build());
    System.out.println("payment link: " + link.getUrl());

    // All payments of the customer, one per page.
    var amounts = new ArrayList<String>();
    String cursor = null;
    do {
      PaymentPage page = payments.listPayments(PaymentsApi.APIListPaymentsRequest.newBuilder()
          .customerId(customer.getId()).perPage(1).cursor(cursor).build());
      page.getData().forEach(payment -> amounts.add(payment.getAmount().toString()));
      cursor = page.getPagination().getNextCursor();
    } while (cursor != null);
    System.out.println("list: " + String.join(" ", amounts));

    // A part of the money goes back.
    UUID cardPayment = byCard.getPayment().getId();
    refund(payments, cardPayment, 1990);
    Payment refunded = payment(payments, cardPayment);
    System.out.println("refund: " + refunded.getStatus() + " " + refunded.getRefundedAmount());

    // More than is left: the refusal says which field is wrong, and why.
    try {
      refund(payments, cardPayment, 15990);
    } catch (ApiException error) {
      var refusal = api.getObjectMapper().readValue(error.getResponseBody(), ValidationOrKeyError.class);
      System.out.println("refusal: " + error.getCode() + " " + refusal.getErrors().get("amount").get(0));
    }

    // A later version of the service may know more statuses and fields than this client does.
    Payment later = payment(new PaymentsApi(client(LATER_URL)), pixPayment);
    System.out.println("later: " + later.getStatus() + " " + later.getAmount());
  }
}
