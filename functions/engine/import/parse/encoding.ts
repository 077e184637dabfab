import { UnreadableError, type Notice } from '../row.ts'
import { hex } from './decode.ts'
import { tallyUtf8 } from './utf8.ts'

interface ChosenEncoding {
  /** Its name in the Encoding Standard. */
  encoding: string
  /** The length of the byte-order mark in bytes. */
  bom: number
  notices: Notice[]
}

/**
 * Chooses the encoding of a text by its first bytes: by a byte-order mark, the zeros of UTF-16, valid UTF-8
 * beyond ASCII, the declaration, or detection, in this order; with a notice of the evidence unless it is
 * plain UTF-8. UTF-8 with few invalid sequences among many good characters stays UTF-8: those are reported
 * where they occur.
 */
export async function chooseEncoding(head: Uint8Array, declared?: string): Promise<ChosenEncoding> {
  const choice = (encoding: string, message?: string, level: Notice['level'] = 'info', bom = 0) => ({
    encoding,
    bom,
    notices: message ? [{ level, message }] : [],
  })
  const [a, b, c, d] = head
  if (a === 0xef && b === 0xbb && c === 0xbf) return choice('utf-8', undefined, 'info', 3)
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    throw new UnreadableError('The text is in UTF-32, which cannot be read here: save it as UTF-8.')
  if (a === 0xff && b === 0xfe)
    return choice('utf-16le', 'Read as UTF-16LE: it begins with its mark.', 'info', 2)
  if (a === 0xfe && b === 0xff)
    return choice('utf-16be', 'Read as UTF-16BE: it begins with its mark.', 'info', 2)
  const wide = wideByZeros(head)
  if (wide)
    return choice(wide, `Read as ${wide.toUpperCase()}: every other byte of its beginning is 0.`, 'warn')

  const { wide: good, damages } = tallyUtf8(trimmedEnd(head))
  const text = standardName(declared)
  if (!damages.length) {
    if (!text || text === 'utf-8' || (!good && text.startsWith('utf-16'))) return choice('utf-8')
    if (!good) return choice(text, `Read as ${text}: so it is declared.`)
    return choice(
      'utf-8',
      `Read as UTF-8, though ${text} is declared: ${good} characters are spelled so.`,
      'warn',
    )
  }
  if (good >= damages.length * 2) return choice('utf-8')
  const first = damages[0]?.at ?? 0
  const line = head.subarray(0, first).reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 1)
  const evidence = `${hex(head.subarray(first, first + 1))} in line ${line} is not UTF-8`
  if (text && text !== 'utf-8' && !text.startsWith('utf-16'))
    return choice(text, `Read as ${text}: so it is declared, and ${evidence}.`)
  const { encoding, because } = await likely(head)
  return choice(encoding, `Read as ${encoding}: ${evidence}, ${because}.`, 'warn')
}

/** The charset of a content type; undefined when it has none. */
export function findCharset(contentType?: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
}

/** The canonical name of an encoding in the Encoding Standard; null for an unknown one. */
export function standardName(label?: string): string | null {
  if (!label) return null
  try {
    return new TextDecoder(label.trim()).encoding
  } catch {
    return null
  }
}

/** Returns the result of the detector if it is confident; otherwise windows-1252, the most frequent one. */
async function likely(head: Uint8Array): Promise<{ encoding: string; because: string }> {
  const { analyse } = await import('chardet')
  const rows = analyse(head)
    .map(({ name, confidence }) => ({ name, confidence, encoding: standardName(name) }))
    .filter(({ encoding }) => encoding && !/^utf|^iso-2022/.test(encoding))
  const latin = rows.find(({ encoding }) => encoding === 'windows-1252')?.confidence ?? 0
  const [best] = rows
  if (best?.encoding && best.encoding !== 'windows-1252' && best.confidence >= Math.max(50, latin + 10))
    return {
      encoding: best.encoding,
      because: `and its bytes look like ${best.name} (${best.confidence} of 100)`,
    }
  return { encoding: 'windows-1252', because: 'and nothing speaks for another encoding' }
}

/** UTF-16 without a mark: zeros are nearly always in one half of the pairs and nearly never in the other. */
function wideByZeros(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const pairs = head.length >> 1
  if (pairs < 4) return null
  const zeros = [0, 0]
  for (let i = 0; i < pairs * 2; i++) if (head[i] === 0) zeros[i & 1] = (zeros[i & 1] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > pairs * 0.7 && even < pairs * 0.05) return 'utf-16le'
  return even > pairs * 0.7 && odd < pairs * 0.05 ? 'utf-16be' : null
}

/** Drops the last bytes, which may be an incomplete character. */
function trimmedEnd(head: Uint8Array): Uint8Array {
  if (head.length < 8) return head
  let end = head.length
  for (let back = 1; back <= 3; back++) if ((head[head.length - back] ?? 0) >= 0xc0) end = head.length - back
  return head.subarray(0, end)
}
