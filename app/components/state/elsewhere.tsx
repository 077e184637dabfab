/** A place that has what was asked for, as the person who belongs to it knows it. */
export interface ElsewherePlace {
  id: string
  displayName: string
}

/** What the person works in has nothing here, but another place of theirs has: one step there, by a form of its own. */
export function Elsewhere({ place, to }: { place: ElsewherePlace; to: string }) {
  return (
    <div className="state" role="alert">
      <h1 className="state-title">This is in {place.displayName}.</h1>
      <p className="state-text">You work in another workspace now.</p>
      <form method="post" action="/switch" className="state-actions">
        <input type="hidden" name="placeId" value={place.id} />
        <input type="hidden" name="to" value={to} />
        <button className="button is-primary">Switch to {place.displayName} and go on</button>
      </form>
    </div>
  )
}
