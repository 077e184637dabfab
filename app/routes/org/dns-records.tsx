import { CopyButton } from '#app/components/form/copy-button.tsx'
import type { PastedRecord } from '#functions/shapes/domain.ts'

/** DNS records to add or remove, with copy buttons for each part. */
export function Records({
  title,
  records,
  canCopy = false,
}: {
  title: string
  records: readonly PastedRecord[]
  canCopy?: boolean
}) {
  return (
    <div className="stack">
      <p>
        <b>{title}</b>
      </p>
      {records.map(({ type, name, value }) => (
        <dl key={`${type} ${name} ${value}`} className="facts">
          <div>
            <dt>Type</dt>
            <dd>{type}</dd>
          </div>
          <div>
            <dt>Name</dt>
            <dd className="row">
              <code className="code">{name}</code>
              {canCopy ? <CopyButton text={name} what={`the name of the ${type} record`} /> : null}
            </dd>
          </div>
          <div>
            <dt>Value</dt>
            <dd className="row">
              <code className="code">{value}</code>
              {canCopy ? <CopyButton text={value} what={`the value of the ${type} record`} /> : null}
            </dd>
          </div>
        </dl>
      ))}
    </div>
  )
}
