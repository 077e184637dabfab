import { prefixes, terms, type LanguageText, type Node, type Value } from './terms.ts'

/**
 * Serialises a tree of linked data as Turtle (RDF 1.1). Nodes with an IRI are written once, however often they occur;
 * blank nodes are nested. Throws for a prefixed name that `terms` does not have.
 */
export function turtle(root: Node): string {
  const entries = new Map<string, string>()
  subject(root, entries)
  const head = Object.entries(prefixes).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .`)
  return `${head.join('\n')}\n\n${[...entries.values()].join('\n\n')}\n`
}

/** Writes a node with an IRI, and those it refers to. */
function subject(node: Node, entries: Map<string, string>): string {
  const id = iri(node['@id'] ?? '')
  if (entries.has(id)) return id
  // Reserved before descending, so that cycles end.
  entries.set(id, '')
  entries.set(id, `${id} ${statements(node, entries, ' ;\n  ')} .`)
  return id
}

function statements(node: Node, entries: Map<string, string>, separator: string): string {
  const types = [node['@type'] ?? []].flat()
  const lines = types.length === 0 ? [] : [`a ${types.join(', ')}`]
  for (const [name, value] of Object.entries(node)) {
    if (name.startsWith('@') || value === undefined) continue
    const term = terms[name]
    if (term === undefined) throw new Error(`Linked data has no short name ${name}.`)
    const objects = ([value].flat() as Exclude<Value, unknown[]>[]).map((each) => object(each, term, entries))
    if (objects.length > 0)
      lines.push(`${typeof term === 'string' ? term : term['@id']} ${objects.join(', ')}`)
  }
  return lines.join(separator)
}

function object(
  value: string | number | Node | LanguageText,
  term: (typeof terms)[string],
  entries: Map<string, string>,
): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' && isLanguageText(value))
    return `${literal(value['@value'])}@${value['@language']}`
  if (typeof value !== 'string')
    return value['@id'] === undefined ? `[ ${statements(value, entries, ' ; ')} ]` : subject(value, entries)
  if (typeof term === 'string') return literal(value)
  return term['@type'] === '@id' ? iri(value) : `${literal(value)}^^${term['@type']}`
}

const isLanguageText = (value: Node | LanguageText): value is LanguageText => '@value' in value

/** An IRI in angle brackets; invalid characters are percent-encoded. */
const iri = (address: string) =>
  `<${address.replace(/[\u0000-\u0020<>"{}|^`\\]/g, (mark) => encodeURIComponent(mark))}>`

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const literal = (text: string) =>
  `"${text.replace(/[\\"\n\r\t]/g, (mark) => escapes[mark] ?? mark).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')}"`
