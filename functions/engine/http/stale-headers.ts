/** Headers of a stale response, made at a time (ms); they prevent it from being cached as a current one. */
export function staleHeaders(at: number): Record<string, string> {
  return {
    'cache-control': 'no-store',
    age: String(Math.max(0, Math.floor((Date.now() - at) / 1000))),
    warning: '110 - "Response is Stale"',
    'x-snapshot-date': new Date(at).toISOString(),
  }
}
