import { holdsWords, describeIdChanges, thingWords } from '#app/components/archive/archive-words.ts'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { Day } from '#app/components/list/time.tsx'
import type { ArchiveReport } from '#functions/shapes/archive.ts'

/** What an archive would create, what is rejected, and the button that imports it. */
export function ArchiveResult({ report }: { report: ArchiveReport }) {
  const {
    place,
    exportedAt,
    instance,
    counts,
    refused: issues,
    renamed,
    switchedOff,
    leftOut,
    fileId,
  } = report
  const isGood = issues.length === 0
  return (
    <section className="stack" aria-labelledby="found">
      <h2 id="found">{isGood ? `${place.name}, as ${place.id}` : `${place.name} cannot be imported`}</h2>
      <p className="muted">
        Exported <Day date={exportedAt} /> from {instance}
      </p>
      {isGood ? (
        <>
          <p>It would make {holdsWords(counts) || 'an empty organization'}.</p>
          <Things
            title="Switched off until you have looked at it"
            things={switchedOff.map(({ noun, name, was }) => `${thingWords(noun)} “${name}”: was ${was}`)}
          />
          <Things
            title="Under another id, since theirs is another’s here"
            things={describeIdChanges(renamed)}
          />
          <Things
            title="Not in the archive"
            things={leftOut.map(({ noun, id, why }) => `${thingWords(noun)} ${id}: ${why}`)}
          />
          <ShortForm
            names={['fileId', 'id']}
            save={{ intent: 'import', label: 'Import it', doing: 'Importing…' }}
          >
            <input type="hidden" name="fileId" value={fileId ?? ''} />
            <input type="hidden" name="id" value={place.id} />
          </ShortForm>
        </>
      ) : (
        <>
          <p>Nothing of it is taken while something is refused:</p>
          <ul>
            {issues.map(({ path, message }) => (
              <li key={`${path.join('.')} ${message}`}>
                <code>{path.join(' › ')}</code>: {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Things({ title, things }: { title: string; things: string[] }) {
  if (things.length === 0) return null
  return (
    <details>
      <summary>
        {title} ({things.length})
      </summary>
      <ul>
        {things.map((thing) => (
          <li key={thing}>{thing}</li>
        ))}
      </ul>
    </details>
  )
}
