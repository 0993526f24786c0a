package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	centavo "github.com/centavo/centavo-go"
)

func TestNoBodyIsSentWhereItIsLeftOut(t *testing.T) {
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		bodies = append(bodies, string(body))
	}))
	defer server.Close()
	refund := client(server.URL).PaymentsAPI.CreateRefund(context.Background(), "id")
	amount := int64(1990)
	refund.Execute()
	refund.RefundCreate(centavo.RefundCreate{Amount: &amount}).Execute()
	if len(bodies) != 2 || bodies[0] != "" || bodies[1] != "{\"amount\":1990}\n" {
		t.Fatalf("%q was sent", bodies)
	}
}

func TestANewFieldOfAnAddressIsRead(t *testing.T) {
	const answer = `{"type":"shipping","postal_code":"01310100","line_1":"Avenida Paulista","number":"1000",
		"neighborhood":"Bela Vista","city":"São Paulo","state":"SP","country":"BR","landmark":"MASP"}`
	var address centavo.CustomerAddress
	if err := json.Unmarshal([]byte(answer), &address); err != nil || address.City != "São Paulo" {
		t.Fatal(err, address.City)
	}
}
