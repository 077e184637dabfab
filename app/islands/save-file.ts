/** Saves a file under a name, as a download does. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** A file name made from a text: its letters and digits, at most 80; `otherwise` where it has none. */
export const fileName = (text: string, otherwise = 'figure'): string =>
  [...text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, '')].slice(0, 80).join('') || otherwise
