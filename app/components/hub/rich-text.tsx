interface RichTextProps {
  /** HTML that the server has sanitised on save. */
  html: string
}

/** Renders formatted text in reading width. It trusts its input: callers must pass sanitised HTML. */
export function RichText({ html }: RichTextProps) {
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
}
