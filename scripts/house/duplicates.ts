/** Equal lines in two places. */
export interface Duplicate {
  lines: number
  first: { path: string; line: number }
  second: { path: string; line: number }
}

const window = 6

/**
 * Finds runs of six or more equal lines in two places of the given texts, longest first. Blank lines,
 * imports, lines of only brackets, and indentation are ignored. Each run is listed once.
 */
export function findDuplicates(texts: ReadonlyMap<string, string>): Duplicate[] {
  const files = [...texts].map(([path, text]) => ({ path, lines: meaningfulLines(text) }))
  const firstAt = new Map<string, { file: number; at: number }>()
  const duplicates: Duplicate[] = []
  files.forEach(({ path, lines }, file) => {
    // The end of the last run found: windows inside it belong to it.
    let foundUntil = 0
    for (let at = 0; at + window <= lines.length; at += 1) {
      const key = lines
        .slice(at, at + window)
        .map(({ text }) => text)
        .join('\n')
      const first = firstAt.get(key)
      if (!first) firstAt.set(key, { file, at })
      if (!first || at < foundUntil || (first.file === file && at - first.at < window)) continue
      const other = files[first.file]!
      let length = window
      while (
        lines[at + length]?.text !== undefined &&
        lines[at + length]!.text === other.lines[first.at + length]?.text &&
        (first.file !== file || first.at + length < at)
      )
        length += 1
      foundUntil = at + length
      duplicates.push({
        lines: length,
        first: { path: other.path, line: other.lines[first.at]!.line },
        second: { path, line: lines[at]!.line },
      })
    }
  })
  return duplicates.sort((a, b) => b.lines - a.lines)
}

function meaningfulLines(text: string): { text: string; line: number }[] {
  const withoutImports = text.replace(/^import [^;]*?from '[^']+'$/gm, (statement) =>
    statement.replace(/[^\n]/g, ''),
  )
  return withoutImports
    .split('\n')
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter(({ text }) => /\w/.test(text))
}
