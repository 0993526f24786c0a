import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { newEmail } from '../../support/orders/parties.ts';
import type { TestService } from '../../support/service.ts';
import { type Screen, type Watched, watch } from './chromium.ts';

export interface BuyerOptions {
  readonly screen?: Screen;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  /** Default: true. */
  readonly javaScriptEnabled?: boolean;
}

/** A buyer's browser with a checkout page. Each has a context of its own. */
export class Buyer implements AsyncDisposable {
  readonly page: Page;
  readonly watched: Watched;

  private constructor(watched: Watched) {
    this.page = watched.page;
    this.watched = watched;
  }

  /** Opens a path of the service, such as `/l/{hash}`. */
  static async at(
    browser: Browser,
    service: TestService,
    path: string,
    options: BuyerOptions = {},
  ): Promise<Buyer> {
    const { screen, ...rest } = options;
    const context: BrowserContextOptions = {
      locale: 'pt-BR',
      ...rest,
      ...(screen && { viewport: { ...screen } }),
    };
    const page = await (await browser.newContext(context)).newPage();
    page.setDefaultTimeout(120_000);
    const buyer = new Buyer(watch(page, service.url));
    await page.goto(service.url + path);
    return buyer;
  }

  async contact(): Promise<void> {
    await this.page.getByLabel('E-mail').fill(newEmail());
    await this.page.getByLabel('Nome completo').fill('Bia Lima');
  }

  async address(): Promise<void> {
    const { page } = this;
    await page.getByLabel('CEP').fill('01310200');
    await page.getByLabel('Rua').fill('Avenida Paulista');
    await page.locator('#number').fill('1578');
    await page.getByLabel('Bairro').fill('Bela Vista');
    await page.getByLabel('Cidade').fill('São Paulo');
    await page.getByLabel('Estado').selectOption('SP');
  }

  async card(number = '4242 4242 4242 4242'): Promise<void> {
    const { page } = this;
    await page.getByLabel('Número do cartão').fill(number);
    await page.getByLabel('Validade').fill('0839');
    await page.getByLabel('Código (CVV)').fill('123');
    await page.getByLabel('Nome impresso no cartão').fill('BIA LIMA');
  }

  choose(method: string): Promise<void> {
    return this.page.getByRole('radio', { name: method }).check();
  }

  pay(): Promise<void> {
    return this.page.getByRole('button', { name: 'Pagar' }).click();
  }

  heading(name: string): Promise<void> {
    return this.page.getByRole('heading', { name }).waitFor();
  }

  /** The hash of the payment whose page is open. */
  get paymentHash(): string {
    return new URL(this.page.url()).pathname.replace('/p/', '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
  }
}
