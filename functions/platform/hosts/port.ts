/**
 * The port to the service that receives visitors on hosts of organizations: it accepts a host and issues its certificate. A port, so
 * that the product depends on no vendor. Every call is idempotent.
 */
export interface Hosts {
  /**
   * Registers a host and requests its certificate; what exists already stays. `isHere`: its DNS points to us already, so the
   * certificate needs no further record. Rejects with a HostsError.
   */
  ensure(host: string, about: { isHere: boolean }): Promise<HostState>
  /** The state of a host; null where it is not registered. Rejects with a HostsError. */
  find(host: string): Promise<HostState | null>
  /** Removes a host; does nothing where it is not registered. Rejects with a HostsError. */
  remove(host: string): Promise<void>
}

export interface HostState {
  certificate: 'pending' | 'active' | 'failed'
  /** In a sentence for people, why it is not active; null when it is. */
  reason: string | null
  /** What may be put into DNS so that the certificate exists before the visitors are moved. */
  records: { type: 'TXT'; name: string; value: string }[]
  /** When the certificate expires; null where there is none or the service does not say. */
  expiresAt: Date | null
}

/**
 * Certificate authorities that issue for hosts of organizations, by the names that CAA records call them by: Let's Encrypt,
 * Google Trust Services and SSL.com, those of Cloudflare's "Certificate authorities" page for SSL for SaaS.
 */
export const certificateAuthorities = ['letsencrypt.org', 'pki.goog', 'ssl.com'] as const

/** A call that failed. `isFinal`: trying again would fail as well. */
export class HostsError extends Error {
  readonly isFinal: boolean
  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}
