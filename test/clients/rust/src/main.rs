use aes::cipher::{block_padding::Pkcs7, BlockEncryptMut, KeyIvInit};
use base64::{engine::general_purpose::STANDARD, Engine};
use centavo::apis::{
    cards_api::create_card,
    configuration::Configuration,
    customers_api::create_customer,
    links_api::create_payment_link,
    orders_api::create_order,
    payments_api::{create_refund, get_payment, list_payments},
    recipients_api::list_recipients,
    sandbox_api::simulate_payment,
    Error as CallError,
};
use centavo::models::*;
use md5::{Digest, Md5};
use std::{env, error::Error};

fn client(url: &str, key: &str) -> Configuration {
    Configuration {
        base_path: format!("{url}/api/v1"),
        bearer_access_token: Some(key.to_owned()),
        ..Configuration::default()
    }
}

/// AES-256-CBC, padded as PKCS#7, in base64.
fn encrypt(card: serde_json::Value, key: &str) -> Result<String, Box<dyn Error>> {
    let plain = serde_json::json!({ "cardData": card }).to_string();
    let iv = format!("{:x}", Md5::digest(key))[..16].to_owned();
    let cipher = cbc::Encryptor::<aes::Aes256>::new_from_slices(key.as_bytes(), iv.as_bytes())?;
    Ok(STANDARD.encode(cipher.encrypt_padded_vec_mut::<Pkcs7>(plain.as_bytes())))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = env::var("CENTAVO_URL")?;
    let key = env::var("CENTAVO_KEY")?;
    let api = client(&url, &key);
    let run = uuid::Uuid::new_v4();

    // A customer. A boleto needs the document and the address.
    let address = CustomerAddress {
        r#type: AddressType::Billing,
        postal_code: "01310100".into(),
        line_1: "Avenida Paulista".into(),
        line_2: None,
        number: "1000".into(),
        neighborhood: "Bela Vista".into(),
        city: "São Paulo".into(),
        state: "SP".into(),
        country: "BR".into(),
    };
    let new_customer = CustomerCreate {
        documents: Some(vec![CustomerDocument::new(CustomerDocumentType::Cpf, "52998224725".into())]),
        addresses: Some(vec![address]),
        ..CustomerCreate::new("Ana Souza".into(), format!("ana-{run}@example.com"))
    };
    let customer = create_customer(&api, new_customer, None).await?;
    println!("customer: {}", customer.name);

    // A card, encrypted.
    let plain = serde_json::json!({
        "number": "4242424242424242",
        "holder": "ANA SOUZA",
        "expMonth": "08",
        "expYear": "39",
        "securityCode": "123",
    });
    let encrypted = encrypt(plain, &env::var("CENTAVO_ENCRYPTION_KEY")?)?;
    let card = create_card(&api, CardCreate::new(customer.id, encrypted), None).await?;
    println!("card: {} {}", card.brand, card.last_4);

    // The key makes an order safe to send again after a time-out.
    let order = async |code: String, payment: PaymentCreate| {
        let buyer = OrderCustomer { id: Some(customer.id), ..OrderCustomer::new() };
        let body = OrderCreate::new(code.clone(), "5734".into(), buyer, payment);
        create_order(&api, body, Some(&code)).await
    };

    // An order by card.
    let mut payment = PaymentCreate::new(15990, OrderPaymentMethod::CreditCard);
    payment.credit_card = Some(Box::new(CreditCardPaymentCreate::new(card.id)));
    let by_card = order(format!("card-{run}"), payment).await?;
    println!("order by card: {}", by_card.payment.status);

    // An order by Pix, and the buyer pays it.
    let by_pix = order(format!("pix-{run}"), PaymentCreate::new(4990, OrderPaymentMethod::Pix)).await?;
    println!("order by Pix: {}", by_pix.payment.status);
    let pix_payment = by_pix.payment.id.to_string();
    let paid = simulate_payment(&api, &pix_payment, PaymentSimulation::new(SimulatedOutcome::Paid), None).await?;
    println!("simulated: {}", paid.status);

    // An order by boleto, of which two recipients get 20 % each.
    let approved = Some(RecipientStatus::Approved);
    let recipients = list_recipients(&api, Some(2), None, approved, None, None, None, None, None, None).await?;
    let line = |recipient: &Recipient| {
        SplitLineCreate::new(Some(recipient.id.to_string().into()), SplitType::Percentage, 20)
    };
    let mut payment = PaymentCreate::new(10000, OrderPaymentMethod::BankSlip);
    payment.split = Some(recipients.data.iter().map(line).collect());
    let boleto = order(format!("boleto-{run}"), payment).await?.payment;
    let bank_slip = boleto.bank_slip.unwrap_or_default();
    println!("order by boleto: {}", bank_slip.digitable_line.unwrap_or_default());
    let shares: Vec<_> = boleto.split.iter().map(|line| line.share_amount.to_string()).collect();
    println!("split: {}, own {}", shares.join(" "), boleto.merchant_amount);

    // A link at which a buyer pays by Pix.
    let mut new_link =
        PaymentLinkCreate::new("Workshop".into(), PaymentLinkAmountType::Fixed, vec![PaymentLinkMethod::Pix]);
    new_link.amount = Some(15990);
    let link = create_payment_link(&api, new_link, None).await?;
    println!("payment link: {}", link.url);

    // All payments of the customer, one per page.
    let buyer = customer.id.to_string();
    let mut amounts = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = list_payments(
            &api, Some(1), cursor.as_deref(), None, None, Some(&buyer), None, None, None, None, None, None, None, None,
        )
        .await?;
        amounts.extend(page.data.iter().map(|payment| payment.amount.to_string()));
        cursor = page.pagination.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    println!("list: {}", amounts.join(" "));

    // A part of the money goes back.
    let card_payment = by_card.payment.id.to_string();
    create_refund(&api, &card_payment, None, Some(RefundCreate { amount: Some(1990), ..RefundCreate::new() })).await?;
    let refunded = get_payment(&api, &card_payment).await?;
    println!("refund: {} {}", refunded.status, refunded.refunded_amount);

    // More than is left: the refusal says which field is wrong, and why.
    let too_much = RefundCreate { amount: Some(15990), ..RefundCreate::new() };
    if let Err(CallError::ResponseError(answer)) = create_refund(&api, &card_payment, None, Some(too_much)).await {
        let refusal: ValidationOrKeyError = serde_json::from_str(&answer.content)?;
        let errors = refusal.errors.unwrap_or_default();
        println!("refusal: {} {}", answer.status.as_u16(), errors["amount"][0]);
    }

    // A later version of the service may know more statuses and fields than this client does.
    let later_url = env::var("CENTAVO_LATER_URL").unwrap_or(url);
    let later = get_payment(&client(&later_url, &key), &pix_payment).await?;
    println!("later: {} {}", later.status, later.amount);
    Ok(())
}
