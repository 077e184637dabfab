export interface NotFoundProps {
  /** Goes one page back, or to / when the history is short. By default it does so itself. */
  onBack?: () => void
}

function back() {
  if (window.history.length > 1) window.history.back()
  else window.location.assign('/')
}

/** The workspace's page for an address that leads nowhere. */
export function NotFound({ onBack = back }: NotFoundProps) {
  return (
    <div className="state">
      <h1 className="state-title">Sorry, that page doesn't exist!</h1>
      <div className="state-actions">
        <button type="button" className="button is-primary" onClick={onBack}>
          Back
        </button>
      </div>
    </div>
  )
}
