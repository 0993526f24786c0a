// Run: WEBHOOK_SECRET=whsec_... java Receiver.java
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    static final String SECRET = System.getenv("WEBHOOK_SECRET");
    static final byte[] KEY = Base64.getDecoder().decode(SECRET.replace("whsec_", ""));
    static final int PORT = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    static final long MAX_AGE_S = 5 * 60;

    /** Use your database instead: a table with the id as a unique key, and the body. */
    static final Set<String> HANDLED = ConcurrentHashMap.newKeySet();

    /** Whether the body was signed with the secret, at most five minutes ago. */
    static boolean isSigned(Headers headers, byte[] body) throws GeneralSecurityException {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || timestamp == null || signatures == null) return false;
        if (!timestamp.matches("[0-9]{1,12}")) return false;
        long age = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
        if (Math.abs(age) > MAX_AGE_S) return false;

        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes());
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        // After a rotation of the secret, a delivery has two signatures for a day.
        for (String given : signatures.split(" ")) {
            if (MessageDigest.isEqual(given.getBytes(), expected.getBytes())) return true;
        }
        return false;
    }

    static void receive(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        boolean isSigned;
        try {
            isSigned = isSigned(exchange.getRequestHeaders(), body);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
        String id = exchange.getRequestHeaders().getFirst("webhook-id");
        boolean isNew = isSigned && HANDLED.add(id);
        exchange.sendResponseHeaders(isSigned ? 204 : 400, -1);
        exchange.close();

        // Do the work after the answer. If your server stops before that, it finds the delivery in its table.
        // Read the event with the JSON library of your choice.
        if (isNew) System.out.println(id + " " + new String(body, StandardCharsets.UTF_8));
    }

    public static void main(String[] args) throws IOException {
        if (KEY.length == 0) throw new IllegalArgumentException("WEBHOOK_SECRET is not a secret of an endpoint.");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", Receiver::receive);
        server.start();
    }
}
