/**
 * Hosts of organisations at whoever receives their visitors: that a host is let in, and its certificate. One port, so
 * that the product knows no vendor. Every call may be made again without harm.
 */
export interface Hosts {
  /**
   * Has a host let in and a certificate made for it; what is there already stays. `isHere`: its address leads to us
   * already, so the certificate can be made without anything more in DNS. Rejects with a HostsError.
   */
  ensure(host: string, about: { isHere: boolean }): Promise<HostState>
  /** How a host stands; null: it is not known. Rejects with a HostsError. */
  find(host: string): Promise<HostState | null>
  /** Lets a host in no longer; one that is not known is well. Rejects with a HostsError. */
  remove(host: string): Promise<void>
}

export interface HostState {
  certificate: 'pending' | 'active' | 'failed'
  /** In a sentence for people, why it is not active; null when it is. */
  reason: string | null
  /** What may be put into DNS so that the certificate exists before the visitors are moved. */
  records: { type: 'TXT'; name: string; value: string }[]
  /** When the certificate ends; null: there is none, or that is not said. */
  expiresAt: Date | null
}

/**
 * Certificate authorities that issue for hosts of organisations, by the names that CAA records call them by: Let's Encrypt,
 * Google Trust Services and SSL.com, those of Cloudflare's "Certificate authorities" page for SSL for SaaS.
 */
export const certificateAuthorities = ['letsencrypt.org', 'pki.goog', 'ssl.com'] as const

/** A call that gave nothing. `isFinal`: again it would give nothing either. */
export class HostsError extends Error {
  readonly isFinal: boolean
  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}
