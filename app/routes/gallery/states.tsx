import { EmptyState } from '#app/components/state/empty-state.tsx'
import { ErrorView } from '#app/components/state/error-view.tsx'
import { Loader } from '#app/components/state/loader.tsx'
import { Part, Sample } from './sample.tsx'

/** What stands where a list, a form or a page cannot be shown. */
export function States() {
  return (
    <Part title="States">
      <Sample name="EmptyState">
        <EmptyState
          level={3}
          title="No sources yet"
          text="Data come in by a file, an address or the API."
          action={
            <button type="button" className="button is-primary">
              Bring in data
            </button>
          }
        />
        <EmptyState level={3} title="Nothing was found" />
      </Sample>
      <Sample name="Loader">
        <Loader />
        <Loader size={24} stroke={3} label="Saving" progress={0.4} />
        <p className="skeleton is-title" />
        <p className="skeleton is-text" />
        <div className="skeleton is-block" />
      </Sample>
      <Sample name="ErrorView">
        {[403, 404, 410, 429, 500, 503].map((status) => (
          <ErrorView key={status} status={status} level={2} retryHref="/gallery" requestId={`id-${status}`} />
        ))}
      </Sample>
    </Part>
  )
}
