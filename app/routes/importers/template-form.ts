/** A template for importers, as listed by the API. */
export interface Template {
  id: string
  name: string
  notes: string
  parser: string
  importer: { name: string; mode: string; schedule: string | null; sources: Record<string, unknown>[] }
  /** The placeholders to replace; paths start in the importer. */
  fill: { path: (string | number)[]; label: string; notes: string }[]
}

/** The text of a placeholder. */
export function exampleAt(template: Template, path: (string | number)[]): string {
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<string | number, unknown> | undefined)?.[key],
    template.importer,
  )
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

/** The placeholders that may be in a URL: tokens and passwords are added later, where they are kept secret. */
export const openFills = ({ fill }: Template) =>
  fill.filter(({ path }) => !path.includes('headers') && !path.includes('oauth'))

type Holder = Record<string | number, unknown>

/** The sources of a template with placeholders replaced (in the order of `openFills`); '' keeps the example. */
export function fillTemplate(template: Template, texts: string[]): Record<string, unknown>[] {
  const importer: Holder = { ...structuredClone(template.importer) }
  openFills(template).forEach(({ path }, i) => {
    const text = texts[i]?.trim()
    const last = path.at(-1)
    if (!text || last === undefined) return
    const holder = path.slice(0, -1).reduce<Holder>((at, key) => (at[key] ??= {}) as Holder, importer)
    const isNumber = typeof holder[last] === 'number' && Number.isFinite(Number(text))
    holder[last] = isNumber ? Number(text) : text
  })
  return importer.sources as Record<string, unknown>[]
}
