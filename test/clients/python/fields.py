"""A field that the contract does not know is refused where it is sent, and kept where it is read, as new values are."""

import unittest

import centavo

# A page of refunds, and an address, as a later version of the service may answer them.
REFUNDS = {
    "data": [],
    "pagination": {"per_page": 10, "next_cursor": None, "has_more": False, "total_pages": 4},
    "took_ms": 12,
}
ADDRESS = {
    "type": "shipping",
    "postal_code": "01310100",
    "line_1": "Avenida Paulista",
    "number": "1000",
    "neighborhood": "Bela Vista",
    "city": "São Paulo",
    "state": "SP",
    "country": "BR",
    "landmark": "MASP",
}
# The key that card data is encrypted under, as it may be once other algorithms are in use.
KEY = {
    "kid": "card-key-2",
    "alg": "ECDH-ES",
    "enc": "A128GCM",
    "jwk": {"kty": "EC", "use": "sig", "alg": "ECDH-ES", "kid": "card-key-2", "n": "AQAB", "e": "AQAB"},
}


class Fields(unittest.TestCase):
    def test_a_misspelt_field_is_not_sent(self):
        with self.assertRaisesRegex(ValueError, "amunt"):
            centavo.RefundCreate(amunt=1990)
        with self.assertRaisesRegex(ValueError, "RefundCreate has no field amunt"):
            centavo.RefundCreate.from_dict({"amunt": 1990})
        with self.assertRaisesRegex(ValueError, "amunt"):
            centavo.PaymentsApi(centavo.ApiClient()).create_refund("id", refund_create={"amunt": 1990})
        with self.assertRaisesRegex(ValueError, "land_mark"):
            centavo.CustomerAddress(**{**ADDRESS, "land_mark": "MASP"})
        self.assertEqual(centavo.RefundCreate(amount=1990).to_dict(), {"amount": 1990})

    def test_a_misspelt_field_within_a_dictionary_is_left_to_the_service(self):
        misspelt = {**ADDRESS, "land_mark": "MASP"}
        update = centavo.CustomerUpdate.from_dict({"addresses": [misspelt]})
        self.assertEqual(update.to_dict(), {"addresses": [misspelt]})
        with self.assertRaisesRegex(ValueError, "land_mark"):
            centavo.CustomerUpdate(addresses=[misspelt])

    def test_a_new_field_is_read(self):
        page = centavo.RefundPage.from_dict(REFUNDS)
        self.assertEqual(page.additional_properties, {"took_ms": 12})
        self.assertEqual(page.pagination.additional_properties, {"total_pages": 4})
        address = centavo.CustomerAddress.from_dict(ADDRESS)
        self.assertEqual(address.city, "São Paulo")
        self.assertEqual(address.additional_properties, {"landmark": "MASP"})

    def test_a_new_value_is_read_where_there_was_only_one(self):
        key = centavo.CardEncryptionKey.from_dict(KEY)
        self.assertEqual((key.alg, key.enc), ("ECDH-ES", "A128GCM"))
        self.assertEqual((key.jwk.kty, key.jwk.use, key.jwk.alg), ("EC", "sig", "ECDH-ES"))


unittest.main()
