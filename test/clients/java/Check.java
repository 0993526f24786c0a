import com.centavo.ApiClient;
import com.centavo.ApiException;
import com.centavo.api.PaymentsApi;
import com.centavo.model.CustomerAddress;
import com.centavo.model.RefundCreate;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** No body is sent where it is left out, and a new field of an address is read. */
public class Check {
  static final List<String> BODIES = new ArrayList<>();

  static void refund(PaymentsApi payments, RefundCreate body) {
    try {
      payments.createRefund(PaymentsApi.APICreateRefundRequest.newBuilder().identifier("id").refundCreate(body).build());
    } catch (ApiException refused) {
      // The server refuses everything: what it was sent is what counts.
    }
  }

  static void expect(Object expected, Object found) {
    if (!expected.equals(found)) throw new AssertionError(found + " where " + expected + " was expected");
  }

  public static void main(String[] args) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      BODIES.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(404, -1);
      exchange.close();
    });
    server.start();
    ApiClient api = new ApiClient();
    api.updateBaseUri("http://127.0.0.1:" + server.getAddress().getPort());
    PaymentsApi payments = new PaymentsApi(api);
    refund(payments, null);
    refund(payments, new RefundCreate().amount(1990L));
    server.stop(0);
    expect(List.of("", "{\"amount\":1990}"), BODIES);

    String address = "{\"type\":\"shipping\",\"city\":\"Santos\",\"landmark\":\"Aquário\"}";
    expect("Santos", api.getObjectMapper().readValue(address, CustomerAddress.class).getCity());
  }
}
