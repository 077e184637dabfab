/** Networks of a proxy that zones are commonly put behind: Cloudflare's published IPv4 and IPv6 ranges. */
const v4: [string, number][] = [
  ['173.245.48.0', 20],
  ['103.21.244.0', 22],
  ['103.22.200.0', 22],
  ['103.31.4.0', 22],
  ['141.101.64.0', 18],
  ['108.162.192.0', 18],
  ['190.93.240.0', 20],
  ['188.114.96.0', 20],
  ['197.234.240.0', 22],
  ['198.41.128.0', 17],
  ['162.158.0.0', 15],
  ['104.16.0.0', 13],
  ['104.24.0.0', 14],
  ['172.64.0.0', 13],
  ['131.0.72.0', 22],
]
/** Compared by their first 32 bits, which cover 2a06:98c0::/29 and 2c0f:f248::/32 completely. */
const v6 = /^(?:2400:cb00|2606:4700|2803:f800|2405:b500|2405:8100|2a06:98c[0-7]|2c0f:f248):/i

const toAddressNumber = (address: string) =>
  address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)

/** Whether an address is that of a proxy, which hides what a name points to. */
export function isProxy(address: string): boolean {
  if (address.includes(':')) return v6.test(address)
  return v4.some(([network, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(toAddressNumber(address) / size) === Math.floor(toAddressNumber(network) / size)
  })
}
