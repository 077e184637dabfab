/** One thing that was asked of the name servers. `found` null: they could not be asked. */
export interface DnsRecord {
  type: 'TXT' | 'CNAME'
  name: string
  expected: string
  found: string[] | null
}

export type DnsState = 'right' | 'missing' | 'other' | 'unknown'

const plain = (text: string) => text.trim().toLowerCase().replace(/\.$/, '')

/** What a record's answer means: as expected, not there, something else there, or the name servers were not reached. */
export function stateOf({ expected, found }: DnsRecord): DnsState {
  if (found === null) return 'unknown'
  if (found.some((each) => plain(each) === plain(expected))) return 'right'
  return found.length ? 'other' : 'missing'
}

/** In a sentence, what to do about a record. */
export function adviceOf(record: DnsRecord): string {
  const { type, name, found } = record
  switch (stateOf(record)) {
    case 'right':
      return 'Found, as it should be.'
    case 'missing':
      return `DNS has no ${type} record for ${name} yet. After you set it, it can take up to an hour until it is seen.`
    case 'other':
      return `DNS answers ${(found ?? []).join(', ')} instead. ${type === 'CNAME' ? 'Replace that record.' : 'Add ours beside it.'}`
    case 'unknown':
      return 'The name servers could not be asked just now. Check again in a minute.'
  }
}
