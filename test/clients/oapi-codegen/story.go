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
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/story/centavo"

	"github.com/oapi-codegen/runtime/types"
)

func client(url string) *centavo.ClientWithResponses {
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("CENTAVO_KEY"))
		return nil
	}
	return must(centavo.NewClientWithResponses(url+"/api/v1", centavo.WithRequestEditorFn(withKey)))
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
	ctx := context.Background()
	run := rand.Text()

	// A customer. A boleto needs the document and the address.
	newCustomer := centavo.CustomerCreate{
		Name:      "Ana Souza",
		Email:     types.Email("ana-" + run + "@example.com"),
		Documents: &[]centavo.CustomerDocument{{Type: centavo.CustomerDocumentTypeCpf, Value: "52998224725"}},
		Addresses: &[]centavo.CustomerAddress{{
			Type:         centavo.Billing,
			PostalCode:   "01310100",
			Line1:        "Avenida Paulista",
			Number:       "1000",
			Neighborhood: "Bela Vista",
			City:         "São Paulo",
			State:        "SP",
			Country:      "BR",
		}},
	}
	createdCustomer := must(api.CreateCustomerWithResponse(ctx, nil, newCustomer))
	customer := done(createdCustomer.JSON201, createdCustomer.Body)
	fmt.Println("customer:", customer.Name)

	// A card, encrypted.
	encrypted := encrypt(map[string]string{
		"number":       "4242424242424242",
		"holder":       "ANA SOUZA",
		"expMonth":     "08",
		"expYear":      "39",
		"securityCode": "123",
	}, os.Getenv("CENTAVO_ENCRYPTION_KEY"))
	newCard := centavo.CardCreate{CustomerId: customer.Id, Encrypted: encrypted}
	createdCard := must(api.CreateCardWithResponse(ctx, nil, newCard))
	card := done(createdCard.JSON201, createdCard.Body)
	fmt.Println("card:", card.Brand, card.Last4)

	// The key makes an order safe to send again after a time-out.
	order := func(code string, payment centavo.PaymentCreate) *centavo.Order {
		params := &centavo.CreateOrderParams{IdempotencyKey: &code}
		buyer := centavo.OrderCustomer{Id: &customer.Id}
		body := centavo.OrderCreate{Code: code, Mcc: "5734", Customer: buyer, Payment: payment}
		answer := must(api.CreateOrderWithResponse(ctx, params, body))
		return done(answer.JSON201, answer.Body)
	}

	// An order by card.
	byCard := order("card-"+run, centavo.PaymentCreate{
		Amount:        15990,
		PaymentMethod: centavo.OrderPaymentMethodCreditCard,
		CreditCard:    &centavo.CreditCardPaymentCreate{Id: card.Id},
	})
	fmt.Println("order by card:", byCard.Payment.Status)

	// An order by Pix, and the buyer pays it.
	byPix := order("pix-"+run, centavo.PaymentCreate{
		Amount:        4990,
		PaymentMethod: centavo.OrderPaymentMethodPix,
	})
	fmt.Println("order by Pix:", byPix.Payment.Status)
	isPaid := centavo.PaymentSimulation{Outcome: centavo.SimulatedOutcomePaid}
	simulated := must(api.SimulatePaymentWithResponse(ctx, byPix.Payment.Id.String(), nil, isPaid))
	fmt.Println("simulated:", done(simulated.JSON200, simulated.Body).Status)

	// An order by boleto, of which two recipients get 20 % each.
	approved, two := centavo.RecipientStatusApproved, int32(2)
	approvedOnes := &centavo.ListRecipientsParams{Status: &approved, PerPage: &two}
	recipients := must(api.ListRecipientsWithResponse(ctx, approvedOnes))
	var split []centavo.SplitLineCreate
	for _, recipient := range done(recipients.JSON200, recipients.Body).Data {
		line := centavo.SplitLineCreate{RecipientId: recipient.Id, Type: centavo.SplitTypePercentage, Amount: 20}
		split = append(split, line)
	}
	boleto := order("boleto-"+run, centavo.PaymentCreate{
		Amount:        10000,
		PaymentMethod: centavo.OrderPaymentMethodBankSlip,
		Split:         &split,
	}).Payment
	fmt.Println("order by boleto:", *boleto.BankSlip.DigitableLine)
	fmt.Print("split:")
	for _, line := range boleto.Split {
		fmt.Print(" ", line.ShareAmount)
	}
	fmt.Println(", own", boleto.MerchantAmount)

	// A link at which a buyer pays by Pix.
	price := int64(15990)
	newLink := must(api.CreatePaymentLinkWithResponse(ctx, nil, centavo.PaymentLinkCreate{
		Title:          "Workshop",
		AmountType:     centavo.PaymentLinkAmountTypeFixed,
		Amount:         &price,
		PaymentMethods: []centavo.PaymentLinkMethod{centavo.PaymentLinkMethodPix},
	}))
	fmt.Println("payment link:", done(newLink.JSON201, newLink.Body).Url)

	// All payments of the customer, one per page.
	perPage := int32(1)
	list := &centavo.ListPaymentsParams{CustomerId: &customer.Id, PerPage: &perPage}
	fmt.Print("list:")
	for hasMore := true; hasMore; {
		answer := must(api.ListPaymentsWithResponse(ctx, list))
		page := done(answer.JSON200, answer.Body)
		for _, payment := range page.Data {
			fmt.Print(" ", payment.Amount)
		}
		list.Cursor = page.Pagination.NextCursor
		hasMore = page.Pagination.HasMore
	}
	fmt.Println()

	// A part of the money goes back.
	id, amount := byCard.Payment.Id.String(), int64(1990)
	refund := must(api.CreateRefundWithResponse(ctx, id, nil, centavo.RefundCreate{Amount: &amount}))
	done(refund.JSON201, refund.Body)
	read := must(api.GetPaymentWithResponse(ctx, id))
	refunded := done(read.JSON200, read.Body)
	fmt.Println("refund:", refunded.Status, refunded.RefundedAmount)

	// More than is left: the refusal says which field is wrong, and why.
	amount = 15990
	refund = must(api.CreateRefundWithResponse(ctx, id, nil, centavo.RefundCreate{Amount: &amount}))
	if refusal := refund.JSON422; refusal != nil {
		fmt.Println("refusal:", refund.StatusCode(), (*refusal.Errors)["amount"][0])
	}

	// A later version of the service may know more statuses and fields than this client does.
	if laterUrl, ok := os.LookupEnv("CENTAVO_LATER_URL"); ok {
		url = laterUrl
	}
	read = must(client(url).GetPaymentWithResponse(ctx, byPix.Payment.Id.String()))
	later := done(read.JSON200, read.Body)
	fmt.Println("later:", later.Status, later.Amount)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// The body of the answer that the program needs. Ends the program with the body of any other answer.
func done[T any](value *T, body []byte) *T {
	if value == nil {
		log.Fatal(string(body))
	}
	return value
}
