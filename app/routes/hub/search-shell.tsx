/** The page of search results with its places to fill: stored once a language, completed for each search. */
export function SearchShell({
  slots: slot,
  index,
}: {
  slots: Record<'heading' | 'found', string>
  /** The address of the index that fills the page. */
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
