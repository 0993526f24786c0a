use centavo::apis::{configuration::Configuration, payments_api::create_refund};
use centavo::models::{CustomerUpdate, RecipientUpdate, RefundCreate};
use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    thread,
};

/// The body of one request that is sent with this refund, to a server that refuses it.
async fn sent(refund: Option<RefundCreate>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_path = format!("http://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = BufReader::new(stream.try_clone().unwrap());
        let mut length = 0;
        loop {
            let mut line = String::new();
            request.read_line(&mut line).unwrap();
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        request.read_exact(&mut body).unwrap();
        stream.write_all(b"HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n").unwrap();
        String::from_utf8(body).unwrap()
    });
    let api = Configuration { base_path, ..Configuration::default() };
    assert!(create_refund(&api, "id", None, refund).await.is_err());
    server.join().unwrap()
}

#[tokio::test]
async fn no_body_is_sent_where_it_is_left_out() {
    assert_eq!(sent(None).await, "");
    assert_eq!(sent(Some(RefundCreate { amount: Some(1990), ..RefundCreate::new() })).await, r#"{"amount":1990}"#);
}

#[test]
fn a_key_of_metadata_is_removed() {
    let metadata = Some(HashMap::from([("seat".to_owned(), None)]));
    let customer = CustomerUpdate { metadata: metadata.clone(), ..CustomerUpdate::new() };
    let recipient = RecipientUpdate { metadata, ..RecipientUpdate::new() };
    for update in [serde_json::to_string(&customer), serde_json::to_string(&recipient)] {
        assert_eq!(update.unwrap(), r#"{"metadata":{"seat":null}}"#);
    }
    let metadata = Some(HashMap::from([("seat".to_owned(), Some("12A".to_owned()))]));
    let customer = CustomerUpdate { metadata, ..CustomerUpdate::new() };
    assert_eq!(serde_json::to_string(&customer).unwrap(), r#"{"metadata":{"seat":"12A"}}"#);
}
