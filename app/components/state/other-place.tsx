/** Another place that has what was requested, as known to its member. */
export interface OfferedPlace {
  id: string
  displayName: string
}

/** Offers to switch to another place of the person that has what the active one has not, by a form. */
export function OtherPlaceOffer({ place, to }: { place: OfferedPlace; to: string }) {
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
