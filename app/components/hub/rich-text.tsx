interface RichTextProps {
  /** HTML already cleaned by the server's allowlist when it was written. */
  html: string
}

/** Shows an editor's text in reading measure. It trusts its input: whoever passes `html` has sanitised it. */
export function RichText({ html }: RichTextProps) {
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
}
