package main

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	centavo "github.com/centavo/centavo-go"
)

func client(url string) *centavo.APIClient {
	config := centavo.NewConfiguration()
	config.Servers = centavo.ServerConfigurations{{URL: url + "/api/v1"}}
	return centavo.NewAPIClient(config)
}

// AES-256-CBC, padded as PKCS#7, in base64.
func encrypt(card map[string]string, key string) string {
	plain := must(json.Marshal(map[string]any{"cardData": card}))
	padding := aes.BlockSize - len(plain)%aes.BlockSize
	plain = append(plain, bytes.Repeat([]byte{byte(padding)}, padding)...)
	sum := md5.Sum([]byte(key))
	iv := hex.EncodeToString(sum[:])[:aes.BlockSize]
	block := must(aes.NewCipher([]byte(key)))
	cipher.NewCBCEncrypter(block, []byte(iv)).CryptBlocks(plain, plain)
	return base64.StdEncoding.EncodeToString(plain)
}

func main() {
	url := os.Getenv("CENTAVO_URL")
	api := client(url)
	ctx := context.WithValue(context.Background(), centavo.ContextAccessToken, os.Getenv("CENTAVO_KEY"))
	run := rand.Text()

	// A customer. A boleto needs the document and the address.
	newCustomer := *centavo.NewCustomerCreate("Ana Souza", "ana-"+run+"@example.com")
	document := centavo.NewCustomerDocument(centavo.CUSTOMERDOCUMENTTYPE_CPF, "52998224725")
	newCustomer.Documents = []centavo.CustomerDocument{*document}
	newCustomer.Addresses = []centavo.CustomerAddress{{
		Type:         centavo.ADDRESSTYPE_BILLING,
		PostalCode:   "01310100",
		Line1:        "Avenida Paulista",
		Number:       "1000",
		Neighborhood: "Bela Vista",
		City:         "São Paulo",
		State:        "SP",
		Country:      "BR",
	}}
	customer := done(api.CustomersAPI.CreateCustomer(ctx).CustomerCreate(newCustomer).Execute())
	fmt.Println("customer:", customer.Name)

	// A card, encrypted.
	encrypted := encrypt(map[string]string{
		"number":       "4242424242424242",
		"holder":       "ANA SOUZA",
		"expMonth":     "08",
		"expYear":      "39",
		"securityCode": "123",
	}, os.Getenv("CENTAVO_ENCRYPTION_KEY"))
	newCard := *centavo.NewCardCreate(customer.Id, encrypted)
	card := done(api.CardsAPI.CreateCard(ctx).CardCreate(newCard).Execute())
	fmt.Println("card:", card.Brand, card.Last4)

	// The key makes an order safe to send again after a time-out.
	order := func(code string, payment *centavo.PaymentCreate) *centavo.Order {
		buyer := centavo.OrderCustomer{Id: &customer.Id}
		body := *centavo.NewOrderCreate(code, "5734", buyer, *payment)
		return done(api.OrdersAPI.CreateOrder(ctx).IdempotencyKey(code).OrderCreate(body).Execute())
	}

	// An order by card.
	payment := centavo.NewPaymentCreate(15990, centavo.ORDERPAYMENTMETHOD_CREDIT_CARD)
	payment.SetCreditCard(*centavo.NewCreditCardPaymentCreate(card.Id))
	byCard := order("card-"+run, payment)
	fmt.Println("order by card:", byCard.Payment.Status)

	// An order by Pix, and the buyer pays it.
	byPix := order("pix-"+run, centavo.NewPaymentCreate(4990, centavo.ORDERPAYMENTMETHOD_PIX))
	fmt.Println("order by Pix:", byPix.Payment.Status)
	paid := done(api.SandboxAPI.SimulatePayment(ctx, byPix.Payment.Id).
		PaymentSimulation(*centavo.NewPaymentSimulation(centavo.SIMULATEDOUTCOME_PAID)).Execute())
	fmt.Println("simulated:", paid.Status)

	// An order by boleto, of which two recipients get 20 % each.
	recipients := done(api.RecipientsAPI.ListRecipients(ctx).
		Status(centavo.RECIPIENTSTATUS_APPROVED).PerPage(2).Execute())
	payment = centavo.NewPaymentCreate(10000, centavo.ORDERPAYMENTMETHOD_BANK_SLIP)
	for _, recipient := range recipients.Data {
		line := centavo.NewSplitLineCreate(recipient.Id, centavo.SPLITTYPE_PERCENTAGE, 20)
		payment.Split = append(payment.Split, *line)
	}
	boleto := order("boleto-"+run, payment).Payment
	fmt.Println("order by boleto:", boleto.BankSlip.GetDigitableLine())
	fmt.Print("split:")
	for _, line := range boleto.Split {
		fmt.Print(" ", line.ShareAmount)
	}
	fmt.Println(", own", boleto.MerchantAmount)

	// A link at which a buyer pays by Pix.
	newLink := *centavo.NewPaymentLinkCreate("Workshop", centavo.PAYMENTLINKAMOUNTTYPE_FIXED,
		[]centavo.PaymentLinkMethod{centavo.PAYMENTLINKMETHOD_PIX})
	newLink.SetAmount(15990)
	link := done(api.LinksAPI.CreatePaymentLink(ctx).PaymentLinkCreate(newLink).Execute())
	fmt.Println("payment link:", link.Url)

	// All payments of the customer, one per page.
	list := api.PaymentsAPI.ListPayments(ctx).CustomerId(customer.Id).PerPage(1)
	fmt.Print("list:")
	for hasMore := true; hasMore; {
		page := done(list.Execute())
		for _, payment := range page.Data {
			fmt.Print(" ", payment.Amount)
		}
		list = list.Cursor(page.Pagination.GetNextCursor())
		hasMore = page.Pagination.HasMore
	}
	fmt.Println()

	// A part of the money goes back.
	refund := api.PaymentsAPI.CreateRefund(ctx, byCard.Payment.Id)
	amount := int64(1990)
	done(refund.RefundCreate(centavo.RefundCreate{Amount: &amount}).Execute())
	refunded := done(api.PaymentsAPI.GetPayment(ctx, byCard.Payment.Id).Execute())
	fmt.Println("refund:", refunded.Status, refunded.RefundedAmount)

	// More than is left: the refusal says which field is wrong, and why.
	amount = 15990
	_, answer, err := refund.RefundCreate(centavo.RefundCreate{Amount: &amount}).Execute()
	var failure *centavo.GenericOpenAPIError
	if errors.As(err, &failure) {
		if refusal, ok := failure.Model().(centavo.ValidationOrKeyError); ok {
			fmt.Println("refusal:", answer.StatusCode, refusal.GetErrors()["amount"][0])
		}
	}

	// A later version of the service may know more statuses and fields than this client does.
	if laterUrl, ok := os.LookupEnv("CENTAVO_LATER_URL"); ok {
		url = laterUrl
	}
	later := done(client(url).PaymentsAPI.GetPayment(ctx, byPix.Payment.Id).Execute())
	fmt.Println("later:", later.Status, later.Amount)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// The answer of a call. Ends the program if there is none.
func done[T any, Answer any](value T, _ Answer, err error) T {
	return must(value, err)
}
