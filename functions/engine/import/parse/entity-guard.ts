/** The ends of the sections in which & has no special meaning, by their beginnings. */
const endings: Record<string, string> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' }
const marks = /<!--|<!\[CDATA\[|<\?|&(?:#\d{1,7}|#x[\da-fA-F]{1,6}|[A-Za-z_][\w.:-]{0,40});|&/g
/** The longest match of `partialMark`. */
const longestPartialMark = 43
/** The beginning of a mark that may continue in the next piece. */
const partialMark = /(?:&[#\w.:-]{0,42}|<(?:!(?:-|\[[CDAT]{0,5})?)?)$/

/**
 * Escapes each & that begins no entity (`&amp;`): the parser would take everything up to the next semicolon for its
 * name, including tags and rows. Yields text to be parsed, and null where such an & was found.
 */
export class EntityGuard {
  private pending = ''
  private ending: string | null = null

  /** Finds the next beginning of a section, or & that begins no entity. */
  private nextMark(text: string): { index: number; mark: string } | null {
    for (const { index, 0: mark } of text.matchAll(marks))
      if (mark === '&' || !mark.startsWith('&')) return { index, mark }
    return null
  }

  *guard(text: string, isLast = false): Generator<string | null> {
    let rest = this.pending + text
    this.pending = ''
    while (rest) {
      if (this.ending) {
        const end = rest.indexOf(this.ending)
        if (end === -1) {
          const keep = isLast ? 0 : Math.min(rest.length, this.ending.length - 1)
          this.pending = rest.slice(rest.length - keep)
          yield rest.slice(0, rest.length - keep)
          return
        }
        yield rest.slice(0, end + this.ending.length)
        rest = rest.slice(end + this.ending.length)
        this.ending = null
        continue
      }
      const match = this.nextMark(rest)
      if (!match) {
        const at = isLast ? -1 : rest.search(partialMark)
        this.pending = at < 0 ? '' : rest.slice(at)
        yield at < 0 ? rest : rest.slice(0, at)
        return
      }
      const { index, mark } = match
      if (mark === '&') {
        // Only the last characters can be an incomplete entity: checking every & would take quadratic time.
        if (
          !isLast &&
          index + longestPartialMark >= rest.length &&
          rest.slice(index).search(partialMark) === 0
        ) {
          this.pending = rest.slice(index)
          yield rest.slice(0, index)
          return
        }
        yield rest.slice(0, index)
        yield null
        yield '&amp;'
      } else {
        yield rest.slice(0, index + mark.length)
        this.ending = endings[mark] ?? null
      }
      rest = rest.slice(index + mark.length)
    }
  }
}
