import { readdirSync, readFileSync } from 'node:fs'
import { parse, walk, type Atrule, type Block, type CssNode, type Selector as SelectorNode } from 'css-tree'
import ts from 'typescript'
import { filesBelow } from './files-below.ts'
import {
  findNeeds as findAllNeeds,
  findUses as findUsesInText,
  writeCss,
  type Declaration,
  type LaterNames,
  type Piece,
  type Rule,
  type Selector,
  type Styles,
} from '#app/theme/lean-css.ts'

/**
 * Reads the style sheet of hub pages for `leanCss`. `words` are those of scripts (`readHubWords`): rules for
 * what scripts may add to a page are kept in every document. Selectors inside of `:is()`, `:has()`, `:not()`
 * and `:where()` need nothing, so rules are kept when in doubt. Throws unless the sheet can be written again
 * byte for byte: because of a syntax error, a comment, or what css-tree parses differently.
 */
export function readStyles(css: string, words: ReadonlySet<string>): Styles {
  const styles = readParts(parseCss(css), { css, words })
  if (writeCss(styles) !== css) throw new Error('The style sheet of hub pages is not what was read of it.')
  return styles
}

interface Sheet {
  css: string
  words: ReadonlySet<string>
}

/** Parses a style sheet, including the values of custom properties. */
function parseCss(css: string): Iterable<CssNode> {
  const tree = parse(css, {
    positions: true,
    parseCustomProperty: true,
    onParseError: (error) => {
      throw error
    },
  })
  if (tree.type !== 'StyleSheet') throw new Error(`A style sheet was read as ${tree.type}.`)
  return tree.children
}

/** At-rules whose blocks contain rules that a page may not need. */
const grouping = new Set(['media', 'layer', 'supports', 'container'])

function readParts(nodes: Iterable<CssNode>, sheet: Sheet): Styles {
  const parts: Styles = []
  for (const node of nodes) {
    if (node.type === 'Rule') parts.push(readRule(node.prelude, node.block, sheet))
    else if (node.type === 'Atrule' && node.block && grouping.has(node.name))
      parts.push({ head: getRuleHead(node, sheet), parts: readParts(node.block.children, sheet) })
    else if (node.type !== 'Comment') parts.push(readPiece(node, sheet))
  }
  return parts
}

function readPiece(node: CssNode, sheet: Sheet): Piece {
  const piece: Piece = { text: getNodeText(node, sheet), uses: findUses(node) }
  if (node.type !== 'Atrule') return piece
  const name = node.prelude ? getNodeText(node.prelude, sheet) : ''
  if (node.name === 'keyframes' && !sheet.words.has(name)) return { ...piece, keyframes: name }
  const letters = node.name === 'font-face' ? readLetters(piece.text) : []
  return letters.length > 0 ? { ...piece, letters } : piece
}

/** The code points of a font face's `unicode-range`; empty when it covers all, or uses a wildcard. */
function readLetters(face: string): [from: number, to: number][] {
  const [, range = ''] = /unicode-range:([^;}]*)/.exec(face) ?? []
  if (range.includes('?')) return []
  return [...range.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/gi)].map(([, from = '', to = from]) => [
    Number.parseInt(from, 16),
    Number.parseInt(to, 16),
  ])
}

const getNodeText = ({ loc }: CssNode, { css }: Sheet): string =>
  css.slice(loc?.start.offset, loc?.end.offset)

const getRuleHead = ({ loc, block }: Atrule, { css }: Sheet): string =>
  css.slice(loc?.start.offset, block?.loc?.start.offset).trim()

function readRule(prelude: CssNode, block: Block, sheet: Sheet): Rule {
  if (prelude.type !== 'SelectorList') throw new Error(`No selectors: ${getNodeText(prelude, sheet)}`)
  const selectors: Selector[] = []
  for (const one of prelude.children)
    if (one.type === 'Selector')
      selectors.push({ text: getNodeText(one, sheet), needs: findNeeds(one, sheet) })
  return { selectors, declarations: readDeclarations(block, sheet) }
}

/**
 * Reads the declarations of a block: each removable custom property by itself, and everything between two of
 * these as one.
 */
function readDeclarations({ children }: Block, sheet: Sheet): Declaration[] {
  const declarations: Declaration[] = []
  for (const node of children) {
    const declaration: Declaration = { text: getNodeText(node, sheet), uses: findUses(node) }
    const name = node.type === 'Declaration' ? node.property : ''
    const last = declarations.at(-1)
    if (name.startsWith('--') && !sheet.words.has(name)) declarations.push({ ...declaration, property: name })
    else if (last && !last.property) {
      last.text += `;${declaration.text}`
      last.uses.push(...declaration.uses)
    } else declarations.push(declaration)
  }
  return declarations
}

/** Finds the custom properties that a part of a sheet uses. */
function findUses(node: CssNode): string[] {
  const uses: string[] = []
  walk(node, {
    visit: 'Function',
    enter: ({ name, children: { first } }) => {
      if (name === 'var' && first?.type === 'Identifier') uses.push(first.name)
    },
  })
  return uses
}

/** Selectors of what browsers, screen readers and live charts (SVG) add to any document. */
const always = new Set([
  ...['html', 'body', '[open', '[checked', '[disabled', '[hidden', '[type'],
  ...['svg', 'g', 'path', 'rect', 'line', 'text'],
])

function findNeeds({ children }: SelectorNode, { words }: Sheet): string[] {
  const needs = children.toArray().flatMap((part): string[] => {
    if (part.type === 'ClassSelector') return [`.${part.name}`]
    if (part.type === 'TypeSelector') return part.name === '*' ? [] : [part.name]
    if (part.type !== 'AttributeSelector') return []
    const value = part.value?.type === 'Identifier' ? part.value.name : part.value?.value
    return [`[${part.name.name}${value === 'rtl' || value === 'ltr' ? `=${value}` : ''}`]
  })
  return needs.filter((need) => !always.has(need) && !isOfScripts(need, words))
}

/**
 * Whether scripts may add a name. `[data-theme` matches `theme` of a dataset. Single words are too common in
 * texts to be taken for classes: classes are listed as `.name` among the words.
 */
function isOfScripts(name: string, words: ReadonlySet<string>): boolean {
  if (/^\.[a-z\d]+$/i.test(name)) return words.has(name)
  const word = name.replace(/^[.[]/, '')
  const inDataset = word
    .replace(/^data-/, '')
    .replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())
  return words.has(word) || (word.startsWith('data-') && words.has(inDataset))
}

/**
 * Reads the words by which the scripts of hub pages may name what they add to a page, and the names in the
 * styles that they bring along. Single-word classes are listed as `.name`.
 */
export function readHubWords(): Set<string> {
  const files = readdirSync('app/islands')
    .filter((name) => /\.(?:ts|css)$/.test(name) && !name.includes('.test.'))
    .map((name) => `app/islands/${name}`)
  const words = new Set<string>()
  for (const file of [...files, 'functions/shapes/first-script.ts']) {
    const source = readFileSync(file, 'utf8')
    const names = file.endsWith('.css') ? findNamesInCss(source) : findWordsInScript(source)
    for (const word of names) words.add(word)
  }
  return words
}

/** The files that write HTML into stored pages when they are requested, by the kind of page. */
const fillingFiles = {
  records: /^(?:engine\/(?:table|map|chart)\/|edge\/hub\/(?:serve-source|serve-table|record-map)\.)/,
  guide: /^(?:engine\/(?:guide\/|table\/page\.)|edge\/hub\/(?!serve-table|record-map))/,
  search: /^edge\/search\//,
}

/**
 * Reads which names that a style sheet's rules need may be added by the Worker to each kind of stored page.
 */
export function readLaterNames(styles: Styles): Record<keyof typeof fillingFiles, LaterNames> {
  const distinctNeeds = [...new Set(findAllNeeds(styles))]
  const files = [...filesBelow('.')].filter(
    (path) => /^functions\/.*\.ts$/.test(path) && !path.includes('test'),
  )
  const namesIn = (pattern: RegExp): LaterNames => {
    const sources = files
      .filter((path) => pattern.test(path.replace(/^functions\//, '')))
      .map((path) => readFileSync(path, 'utf8'))
    const words = new Set(sources.flatMap(findWordsInScript))
    // `table-${kind}`: any class with this prefix.
    const beginnings = [...words].filter((word) => /^\w[\w-]*-$/.test(word)).map((word) => `.${word}`)
    // These pages contain copied parts of other pages, with any elements.
    const needs = distinctNeeds.filter(
      (need) =>
        !/^[.[]/.test(need) ||
        isOfScripts(need, words) ||
        beginnings.some((beginning) => need.startsWith(beginning)),
    )
    return { needs, uses: [...new Set(sources.flatMap((source) => findUsesInText(source)))] }
  }
  const { records, guide, search } = fillingFiles
  return { records: namesIn(records), guide: namesIn(guide), search: namesIn(search) }
}

/** Lists classes, attributes and used custom properties of a style sheet. */
export function findNamesInCss(css: string): string[] {
  const names: string[] = []
  for (const node of parseCss(css)) {
    names.push(...findUses(node))
    walk(node, (part) => {
      if (part.type === 'ClassSelector') names.push(part.name, `.${part.name}`)
      if (part.type === 'AttributeSelector') names.push(part.name.name)
    })
  }
  return names
}

/**
 * Lists the words of all texts of a script except module names, and as `.name` the classes that it adds or
 * queries.
 */
export function findWordsInScript(source: string): string[] {
  const words: string[] = []
  const visit = (node: ts.Node, isClass: boolean) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      for (const [text, word = ''] of node.text.matchAll(/(?:(?<=^|\s)\.)?([\w-]+)/g)) words.push(text, word)
      for (const [, names = ''] of node.text.matchAll(/class="([\w -]+)/g)) words.push(...asClasses(names))
      if (isClass) words.push(...asClasses(node.text))
    }
    ts.forEachChild(node, (child) => visit(child, isClass || givesClasses(node)))
  }
  visit(ts.createSourceFile('script.ts', source, ts.ScriptTarget.Latest), false)
  return words
}

const asClasses = (names: string) => names.split(/\s+/).map((name) => `.${name}`)

/** `x.className = …` and `x.classList.add(…)` with its like. */
function givesClasses(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return isProperty(node.left, 'className')
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    isProperty(node.expression.expression, 'classList')
  )
}

const isProperty = (node: ts.Node, name: string) =>
  ts.isPropertyAccessExpression(node) && node.name.text === name
