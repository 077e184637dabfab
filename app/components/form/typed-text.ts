/** What people type into text areas, or scripts put into inputs. */

/** Parses JSON; the text itself if it is none. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** The lines without white space around them; empty ones are left out. */
export const readLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
