/** Characters that XML 1.0 cannot represent, not even as references. */
const impossible = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Escapes a text for elements and attributes. Invalid characters become U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(impossible, '\uFFFD').replace(/[&<>"\r]/g, (mark) => references[mark] ?? mark)
}
