/** Gives rows as CSV by RFC 4180: a header of aliases, CRLF, quotes doubled; geometry as GeoJSON text, null as nothing. */
export function csvOf(columns: string[], rows: Record<string, unknown>[]): string {
  const cell = (value: unknown) => {
    if (value === null || value === undefined) return ''
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const lines = [columns.map(cell), ...rows.map((row) => columns.map((column) => cell(row[column])))]
  return lines.map((line) => `${line.join(',')}\r\n`).join('')
}
