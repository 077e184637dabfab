import { cloudflareHosts } from './cloudflare.ts'
import { localHosts } from './local.ts'
import type { Hosts } from './port.ts'
import type { Settings } from '#functions/context.ts'

/** The hosts of a development machine, in memory for the lifetime of the isolate. */
const local = localHosts(() => new Date())

/**
 * The service for hosts of organizations, as configured. Null in production without a configuration: then certificates are managed
 * outside of the product, which only checks them from outside.
 */
export function chooseHosts({ cloudflare, environment }: Settings): Hosts | null {
  if (cloudflare) return cloudflareHosts(cloudflare, (input, init) => fetch(input, init))
  return environment === 'production' ? null : local
}
