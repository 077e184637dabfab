import { cloudflareHosts } from './cloudflare.ts'
import { localHosts } from './local.ts'
import type { Hosts } from './port.ts'
import type { Settings } from '#functions/context.ts'

/** Hosts on this machine, known as long as the isolate lives. */
const local = localHosts(() => new Date())

/**
 * Who lets hosts of organisations in, as the settings say. Null in production where no one is configured: then someone
 * else sees to certificates, and whether they hold is looked at from outside.
 */
export function hostsOf({ cloudflare, environment }: Settings): Hosts | null {
  if (cloudflare) return cloudflareHosts(cloudflare, (input, init) => fetch(input, init))
  return environment === 'production' ? null : local
}
