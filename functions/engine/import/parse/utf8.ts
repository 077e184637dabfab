/** An invalid UTF-8 sequence: its offset and the number of bytes that one U+FFFD replaces. */
interface Damage {
  at: number
  length: number
}

/**
 * Finds the first invalid UTF-8 sequence at or after `from`, delimited as by the Encoding Standard (the
 * longest valid prefix of a sequence is one); null if there is none. A truncated sequence at the end is
 * invalid too: see `completeEnd`.
 */
export function findFirstDamage(bytes: Uint8Array, from: number): Damage | null {
  let at = from
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) {
      at++
      continue
    }
    const length = sequenceLength(lead)
    if (length === 0) return { at, length: 1 }
    for (let i = 1; i < length; i++) {
      const byte = bytes[at + i]
      const [low, high] = i === 1 ? secondRange(lead) : plainRange
      if (byte === undefined || byte < low || byte > high) return { at, length: i }
    }
    at += length
  }
  return null
}

/**
 * Returns the end of the last complete character: the rest is the beginning of one that continues in the next
 * block.
 */
export function completeEnd(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] ?? 0
    if (byte < 0x80) return length
    if (byte < 0xc0) continue
    if (sequenceLength(byte) <= back) return length
    const damage = findFirstDamage(bytes.subarray(length - back), 0)
    return damage && damage.length < back ? length : length - back
  }
  return length
}

/** Returns the UTF-8 length of a part of a text, in bytes. */
export function utf8Length(text: string, from: number, to: number): number {
  let length = to - from
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // Each surrogate counts two: four for the character.
    length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return length
}

/** Counts valid characters beyond ASCII, and collects invalid sequences. */
export function tallyUtf8(bytes: Uint8Array): { wide: number; damages: Damage[] } {
  const damages: Damage[] = []
  let leads = 0
  for (const byte of bytes) if (byte >= 0xc0) leads++
  for (let at = 0; at < bytes.length;) {
    const damage = findFirstDamage(bytes, at)
    if (!damage) break
    damages.push(damage)
    if ((bytes[damage.at] ?? 0) >= 0xc0) leads--
    at = damage.at + damage.length
  }
  return { wide: leads, damages }
}

const plainRange = [0x80, 0xbf] as const

function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
}

function secondRange(lead: number): readonly [number, number] {
  if (lead === 0xe0) return [0xa0, 0xbf]
  if (lead === 0xed) return [0x80, 0x9f]
  if (lead === 0xf0) return [0x90, 0xbf]
  return lead === 0xf4 ? [0x80, 0x8f] : plainRange
}
