interface NotFoundProps {
  /** Goes one page back, or to / when the history is short. By default it does so itself. */
  onBack?: () => void
}

function back() {
  if (window.history.length > 1) window.history.back()
  else window.location.assign('/')
}

/** The workspace's page for an address that leads nowhere. Without scripts the button leads to /. */
export function NotFound({ onBack = back }: NotFoundProps) {
  return (
    <div className="state">
      <h1 className="state-title">Sorry, that page doesn't exist!</h1>
      <div className="state-actions">
        <form action="/">
          <button
            className="button is-primary"
            onClick={(event) => {
              event.preventDefault()
              onBack()
            }}
          >
            Back
          </button>
        </form>
      </div>
    </div>
  )
}
