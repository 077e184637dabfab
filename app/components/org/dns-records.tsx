import { adviceOf, stateOf, type DnsRecord, type DnsState } from './dns.ts'
import { CopyButton } from '../form/copy-button.tsx'

const signs: Record<DnsState, { word: string; className: string }> = {
  right: { word: 'Right', className: 'badge is-success' },
  missing: { word: 'Missing', className: 'badge is-warning' },
  other: { word: 'Something else', className: 'badge is-danger' },
  unknown: { word: 'Not known', className: 'badge' },
}

/** The records to set at one's name server, ready to be copied, with what DNS answers now. */
export function DnsRecords({ records }: { records: readonly DnsRecord[] }) {
  return (
    <ol className="dns-records">
      {records.map((record) => {
        const { word, className } = signs[stateOf(record)]
        return (
          <li key={`${record.type} ${record.name}`} className="card">
            <div className="card-body stack">
              <p className="row">
                <b>{record.type}</b>
                <span className={className}>{word}</span>
              </p>
              <dl className="facts">
                <div>
                  <dt>Name</dt>
                  <dd className="row">
                    <code className="code">{record.name}</code>
                    <CopyButton text={record.name} what={`the name of the ${record.type} record`} />
                  </dd>
                </div>
                <div>
                  <dt>Value</dt>
                  <dd className="row">
                    <code className="code">{record.expected}</code>
                    <CopyButton text={record.expected} what={`the value of the ${record.type} record`} />
                  </dd>
                </div>
              </dl>
              <p className="muted">{adviceOf(record)}</p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
