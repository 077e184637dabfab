/** Counts of a JSON text, by its punctuation alone. */
interface JsonMeasure {
  colons: number
  depth: number
  /** Lists, objects and members. */
  members: number
  /** The longest string, as written. */
  longest: number
  /** It has a number with more digits than a double may represent. */
  hasLong: boolean
}

/** Measures a JSON text without parsing its values. */
export function measureJson(text: string): JsonMeasure {
  let colons = 0
  let depth = 0
  let containers = 0
  let deepest = 0
  let longest = 0
  let digits = 0
  let hasLong = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) {
      const end = closingQuote(text, i + 1)
      longest = Math.max(longest, end - i - 1)
      i = end
      digits = 0
    } else if (code >= 48 && code <= 57) {
      if (++digits >= 16) hasLong = true
    } else {
      // The exponent of a number: 1e400 cannot be represented.
      if (code === 101 || code === 69) hasLong ||= /[\d.]/.test(text.charAt(i - 1))
      if (code !== 46) digits = 0
      if (code === 58) colons++
      else if (code === 123 || code === 91) {
        containers++
        deepest = Math.max(deepest, ++depth)
      } else if (code === 125 || code === 93) depth--
    }
  }
  return { colons, depth: deepest, members: containers + colons, longest, hasLong }
}

/** The end of a string that begins at `from`; the length when it is unclosed. */
function closingQuote(text: string, from: number): number {
  for (;;) {
    const end = text.indexOf('"', from)
    if (end === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return end
    from = end + 1
  }
}

/** The same JSON with numbers that a double cannot represent as strings; and their number. */
export function quoteInexactNumbers(text: string): { text: string; kept: number } {
  let count = 0
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs
  const quotedText = text.replace(tokens, (token) => {
    if (token.startsWith('"')) return token
    const number = Number(token)
    const isExact = /^-?\d+$/.test(token)
      ? Number.isSafeInteger(number) || String(number) === token
      : Number.isFinite(number)
    if (isExact) return token
    count++
    return `"${token}"`
  })
  return { text: quotedText, kept: count }
}

/** The path of the first duplicate member of an object; null: there is none. */
export function findDuplicateMember(text: string): string | null {
  const levels: { names: Set<string> | null; name: string }[] = []
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{}]/gs
  for (const [token, colon] of text.matchAll(tokens)) {
    const top = levels.at(-1)
    if (token === '{' || token === '[') levels.push({ names: token === '{' ? new Set() : null, name: '' })
    else if (token === '}' || token === ']') levels.pop()
    else if (colon && top?.names) {
      const name = String(JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)))
      top.name = name
      if (top.names.has(name)) return levels.flatMap(({ name }) => name || []).join('.')
      top.names.add(name)
    }
  }
  return null
}
