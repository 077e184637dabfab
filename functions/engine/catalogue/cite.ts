import { wallTime } from '#functions/shapes/wall-time.ts'

/** The parts of a citation of a source version. */
export interface Citation {
  /** The author of the data; null where none is stated: then the publisher is cited. */
  author: string | null
  publisher: string
  title: string
  version: string
  /** The day of the version, `YYYY-MM-DD`. */
  day: string
  url: string
  /** The type of the work in the reader's language: data set. */
  kind: string
}

/** How versions and data sets are called in the reader's language. */
interface CitationWords {
  version: string
  cite: { dataSet: string }
}

/**
 * The citation of a source version: for programs with the bare version number, as text with a label. `at`: the last
 * change of the data, whose day is in `timeZone`.
 */
export function formatCitations(
  about: Pick<Citation, 'author' | 'publisher' | 'title' | 'url'>,
  { version, at }: { version: number; at: Date | string },
  { words, timeZone }: { words: CitationWords; timeZone: string },
): { text: string; bibtex: string; ris: string } {
  const citation = {
    ...about,
    ...{ version: String(version), kind: words.cite.dataSet },
    day: new Date(wallTime(new Date(at).getTime(), timeZone)).toISOString().slice(0, 10),
  }
  return {
    text: citationText({ ...citation, version: `${words.version.toLowerCase()} ${version}` }),
    bibtex: citationBibtex(citation),
    ris: citationRis(citation),
  }
}

/** A citation as one writes it below a text: author (year): title, version. Publisher. Address. */
export function citationText({ author, publisher, title, version, day, url, kind }: Citation): string {
  const by = author ?? publisher
  const from = by === publisher ? '' : ` ${publisher}.`
  return `${by} (${day.slice(0, 4)}). ${title} (${version}) [${kind}].${from} ${url}`
}

/** The citation as BibTeX. Braces preserve capitals; TeX special characters are escaped. */
export function citationBibtex({ author, publisher, title, version, day, url }: Citation): string {
  const [year = '', month = ''] = day.split('-')
  const fields: [string, string][] = [
    ['author', `{${tex(author ?? publisher)}}`],
    ['title', `{${tex(title)}}`],
    ['publisher', `{${tex(publisher)}}`],
    ['version', tex(version)],
    ['year', year],
    ['month', String(Number(month))],
    ['url', url],
  ]
  const key = `${
    (author ?? publisher)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '')
      .slice(0, 20) || 'data'
  }${year}`
  return `@misc{${key},\n${fields.map(([name, value]) => `  ${name} = {${value}}`).join(',\n')}\n}\n`
}

/** The citation as RIS, for reference managers. */
export function citationRis({ author, publisher, title, version, day, url }: Citation): string {
  const lines: [string, string][] = [
    ['TY', 'DATA'],
    ['AU', author ?? publisher],
    ['TI', title],
    ['PB', publisher],
    ['ET', version],
    ['PY', day.slice(0, 4)],
    ['DA', day.replaceAll('-', '/')],
    ['UR', url],
    ['ER', ''],
  ]
  return lines.map(([tag, text]) => `${tag}  - ${text.replace(/[\p{Cc}\s]+/gu, ' ').trim()}\r\n`).join('')
}

const commands: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

const tex = (text: string) =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/[\\~^{}#$%&_]/g, (mark) => commands[mark] ?? `\\${mark}`)
