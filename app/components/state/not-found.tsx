interface NotFoundProps {
  /** Goes back one page, or to / without history. Has a default. */
  onBack?: () => void
}

function back() {
  if (window.history.length > 1) window.history.back()
  else window.location.assign('/')
}

/** The 404 page of the workspace. Without scripts the button links to /. */
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
