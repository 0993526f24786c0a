import { utcMicros } from '../../domain/local-time.ts';
import type { WalletDomain } from '../../domain/wallet/wallet-domain.ts';
import type { components } from '../../generated/types.ts';

export function walletDomainAnswer(domain: WalletDomain): components['schemas']['WalletDomain'] {
  return {
    id: domain.id,
    domain_name: domain.domainName,
    status: domain.status,
    verification_path: domain.verificationPath,
    verification_content: domain.verificationContent,
    verified_at: domain.verifiedAt && utcMicros(domain.verifiedAt),
    problem: domain.problem,
    created_at: utcMicros(domain.createdAt),
    updated_at: utcMicros(domain.updatedAt),
  };
}
