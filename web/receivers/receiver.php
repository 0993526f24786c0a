<?php
// Run: WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:8080 receiver.php
declare(strict_types=1);

const MAX_AGE_S = 5 * 60;

/** Whether the body was signed with the secret, at most five minutes ago. */
function isSigned(string $key, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > MAX_AGE_S) {
        return false;
    }
    $hmac = hash_hmac('sha256', "$id.$timestamp.$body", $key, binary: true);
    $expected = 'v1,' . base64_encode($hmac);
    // After a rotation of the secret, a delivery has two signatures for a day.
    foreach (explode(' ', $signatures) as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

$key = base64_decode(str_replace('whsec_', '', (string) getenv('WEBHOOK_SECRET')));
$body = file_get_contents('php://input');
if ($key === '' || !isSigned($key, $body)) {
    http_response_code(400);
    exit;
}
$id = $_SERVER['HTTP_WEBHOOK_ID'];
// A file that exists marks a delivery that was handled. Use your database instead: a table with
// the id as a unique key, and the body.
$isNew = @fopen(sys_get_temp_dir() . "/webhook-$id", 'x') !== false;
http_response_code(204);

// With PHP-FPM, call fastcgi_finish_request() here: it sends the answer before the work. If your server
// stops before that, it finds the delivery in its table.
if ($isNew) {
    $event = json_decode($body, true);
    error_log("$id {$event['event']} " . ($event['data']['status'] ?? ''));
}
