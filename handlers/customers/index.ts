import { createCustomer } from './create-customer.ts';
import { getCustomer } from './get-customer.ts';
import { listCustomers } from './list-customers.ts';
import { updateCustomer } from './update-customer.ts';

export const customers = { createCustomer, getCustomer, listCustomers, updateCustomer };
