/** The results page with placeholders: stored once per language, filled for each search. */
export function SearchShell({
  slots: slot,
  index,
}: {
  slots: Record<'heading' | 'found', string>
  /** The URL of the index that fills the page. */
  index: string
}) {
  return (
    <div className="page" data-search-index={index}>
      <header className="page-head">
        <h1>{slot.heading}</h1>
      </header>
      <div>{slot.found}</div>
    </div>
  )
}
