// Run: WEBHOOK_SECRET=whsec_... go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const maxAge = 5 * time.Minute

// Use your database instead: a table with the id as a unique key, and the body.
var handled sync.Map

// isSigned says whether the body was signed with the secret, at most five minutes ago.
func isSigned(key []byte, header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > maxAge {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// After a rotation of the secret, a delivery has two signatures for a day.
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}

func main() {
	secret := strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || len(key) == 0 {
		log.Fatal("WEBHOOK_SECRET is not a secret of an endpoint.")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !isSigned(key, r.Header, body) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		id := r.Header.Get("webhook-id")
		_, isKnown := handled.LoadOrStore(id, true)
		w.WriteHeader(http.StatusNoContent)

		// Do the work after the answer. If your server stops before that, it finds the delivery in its table.
		if !isKnown {
			go handle(id, body)
		}
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}

func handle(id string, body []byte) {
	var event struct {
		Event string
		Data  struct{ Status string }
	}
	if err := json.Unmarshal(body, &event); err != nil {
		log.Print(err)
		return
	}
	fmt.Println(id, event.Event, event.Data.Status)
}
