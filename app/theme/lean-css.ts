/** A rule of a style sheet: with a block of declarations, with rules inside (`@media`, `@layer`), or neither (`@layer a,b;`). */
interface Rule {
  head: string
  body: string | null
  rules: Rule[] | null
  /** Of a style rule: each selector with what a document must have for it, as `.class`, `[attribute` and `element`. */
  selectors: { text: string; needs: string[] }[]
}

/** Takes out of a style sheet what a document cannot use; `drawings` are those that it refers to, in its colours. */
type LeanCss = (html: string, drawings?: readonly string[]) => string

/** Documents with the same names have the same styles: those of the kinds of pages that there are. */
const mostKept = 64

/**
 * Reads a style sheet once, and gives what leaves of it, for a document, the rules that it has the names for and the custom
 * properties that these use. What scripts may add is left: `words` are those of the texts in their sources. Selectors inside of
 * `:is()`, `:has()`, `:not()` and `:where()` ask for nothing, so what is in doubt stays.
 */
export function leanCss(css: string, words: ReadonlySet<string>): LeanCss {
  const rules = rulesOf({ css, at: 0 })
  const asked = [...new Set(namesIn(rules))]
  const kept = new Map<string, string>()
  return (html, drawings = []) => {
    const names = namesOf(html)
    const known = asked.map((name) => names.has(name) || isOfScripts(name, words))
    // Styles in the document itself use properties too
    const used = new Set([html, ...drawings].flatMap(usedIn))
    const key = `${known.map(Number).join('')} ${[...used].sort().join(' ')}`
    const before = kept.get(key)
    if (before !== undefined) return before
    const has = new Set(asked.filter((_, at) => known[at]))
    const lean = withoutProperties(written(rules, has), used, words)
    if (kept.size < mostKept) kept.set(key, lean)
    return lean
  }
}

/** The custom properties that a text uses. */
const usedIn = (text: string) => [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name ?? '')

function rulesOf(read: { css: string; at: number }): Rule[] {
  const { css } = read
  const rules: Rule[] = []
  while (read.at < css.length && css[read.at] !== '}') {
    const end = endOf(css, read.at, /[{};]/g)
    const head = css.slice(read.at, end).trim()
    read.at = end + 1
    if (css[end] === '}') {
      read.at = end
      break
    }
    if (css[end] !== '{') {
      if (head !== '') rules.push({ head, body: null, rules: null, selectors: [] })
    } else if (/^@(?:media|layer|supports|container)\b/.test(head)) {
      rules.push({ head, body: null, rules: rulesOf(read), selectors: [] })
      read.at += 1
    } else {
      const close = closeOf(css, read.at)
      const selectors = head.startsWith('@') ? [] : selectorsOf(head)
      rules.push({ head, body: css.slice(read.at, close), rules: null, selectors })
      read.at = close + 1
    }
  }
  return rules
}

/** Where one of some signs stands next, outside of quotes. */
function endOf(css: string, from: number, signs: RegExp): number {
  const found = new RegExp(`"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|${signs.source}`, 'g')
  found.lastIndex = from
  for (let match = found.exec(css); match; match = found.exec(css)) {
    if (match[0].length === 1) return match.index
  }
  return css.length
}

/** Where the block ends that begins at `from`. */
function closeOf(css: string, from: number): number {
  let depth = 1
  let at = from
  while (depth > 0 && at < css.length) {
    at = endOf(css, at, /[{}]/g)
    depth += css[at] === '{' ? 1 : -1
    if (depth > 0) at += 1
  }
  return at
}

function selectorsOf(head: string): Rule['selectors'] {
  const texts: string[] = []
  let depth = 0
  let text = ''
  for (const sign of head) {
    if (sign === '(' || sign === '[') depth += 1
    if (sign === ')' || sign === ']') depth -= 1
    if (sign === ',' && depth === 0) {
      texts.push(text)
      text = ''
    } else text += sign
  }
  return [...texts, text].map((one) => ({ text: one, needs: needsOf(one) }))
}

/** What is set by browsers and readers, not by the document. */
const always = new Set(['[open', '[checked', '[disabled', '[hidden', '[type', 'html', 'body'])

function needsOf(selector: string): string[] {
  let plain = selector.replace(/"[^"]*"|'[^']*'/g, '')
  for (let before = ''; before !== plain;) {
    before = plain
    plain = plain.replace(/:[\w-]+\([^()]*\)/g, '')
  }
  const attributes = [...plain.matchAll(/\[([\w-]+)(?:=(rtl|ltr))?/g)]
  const outside = plain.replace(/\[[^\]]*\]/g, '').replace(/::?[\w-]+/g, '')
  return [
    ...[...outside.matchAll(/\.([\w-]+)/g)].map(([, name]) => `.${name}`),
    ...attributes.map(([, name, value]) => `[${name}${value ? `=${value}` : ''}`),
    ...[...outside.matchAll(/(?:^|[\s>+~])([a-z][a-z0-9]*)/g)].map(([, name]) => name ?? ''),
  ].filter((need) => !always.has(need))
}

function* namesIn(rules: Rule[]): Generator<string> {
  for (const rule of rules) {
    for (const { needs } of rule.selectors) yield* needs
    if (rule.rules) yield* namesIn(rule.rules)
  }
}

/** Elements, classes and attributes of a document. */
function namesOf(html: string): Set<string> {
  const names = new Set<string>()
  for (const [, element = '', attributes = ''] of html.matchAll(/<([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>/gi)) {
    names.add(element.toLowerCase())
    for (const [, name = '', value = ''] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) {
      names.add(`[${name}`)
      if (name === 'dir') names.add(`[dir=${value}`)
      if (name === 'class') for (const one of value.split(/\s+/)) names.add(`.${one}`)
    }
  }
  return names
}

/**
 * `[data-theme` is `theme` of a dataset. Single words of texts are too common to be taken for classes: those stand as `.name`
 * among the words.
 */
function isOfScripts(name: string, words: ReadonlySet<string>): boolean {
  if (/^\.[a-z\d]+$/i.test(name)) return words.has(name)
  const word = name.replace(/^[.[]/, '')
  const inDataset = word
    .replace(/^data-/, '')
    .replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())
  return words.has(word) || (word.startsWith('data-') && words.has(inDataset))
}

function written(rules: Rule[], has: ReadonlySet<string>): string {
  let css = ''
  for (const { head, body, rules: inside, selectors } of rules) {
    if (inside) {
      const left = written(inside, has)
      if (left !== '') css += `${head}{${left}}`
    } else if (body === null) css += `${head};`
    else if (selectors.length === 0) css += `${head}{${body}}`
    else {
      const left = selectors.filter(({ needs }) => needs.every((need) => has.has(need)))
      if (left.length > 0) css += `${left.map(({ text }) => text).join(',')}{${body}}`
    }
  }
  return css
}

/** Takes away the custom properties that nothing uses any more, and then those that only these used. */
function withoutProperties(css: string, inHtml: ReadonlySet<string>, words: ReadonlySet<string>): string {
  let left = css
  for (let before = ''; before !== left;) {
    before = left
    const used = new Set(usedIn(left))
    left = left.replace(/(--[\w-]+):[^;{}]*(?:;|(?=\}))/g, (all, name: string) =>
      used.has(name) || inHtml.has(name) || words.has(name) ? all : '',
    )
  }
  return left
}
