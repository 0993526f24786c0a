/** How a person or company is reached. Shared by recipients and customers. */
export interface Phone {
  readonly type: PhoneType;
  /** Country code. */
  readonly ddi: string;
  /** Area code, two digits. */
  readonly ddd: string;
  readonly number: string;
}

export type PhoneType = 'residential' | 'mobile' | 'commercial' | 'public';

export interface Address {
  readonly type: 'billing' | 'shipping';
  readonly line1: string;
  readonly line2?: string;
  readonly number: string;
  readonly neighborhood: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
}

/** The address with its country code in upper case. */
export function normalizeAddress(address: Address): Address {
  return { ...address, country: address.country.toUpperCase() };
}
