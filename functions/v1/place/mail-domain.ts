import { createRowReader, getReadOnlyMembers } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as mailDomains from '#functions/domain/identity/sso/mail-domains.ts'
import { listOptions } from '#functions/shapes/options.ts'
import { Deleted } from '#functions/shapes/returns.ts'
import {
  CheckedMailDomain,
  MailDomain,
  MailDomainChanges,
  MailDomains,
  NewMailDomain,
} from '#functions/shapes/sso.ts'

const MailDomainOptions = listOptions({ id: 'text', verifiedAt: 'date', createdAt: 'date' })

/** The email domains that a place's sign-on provider is trusted for. The id of one is its name. */
export const mailDomain = {
  verify: endpoint({
    allow: 'sso.manage',
    http: { method: 'post', one: true },
    returns: CheckedMailDomain,
    summary: 'Ask DNS whether a mail domain is the place’s',
    run: mailDomains.verify,
  }),
  find: endpoint({
    allow: 'sso.read',
    options: MailDomainOptions,
    returns: MailDomains,
    run: mailDomains.find,
  }),
  create: endpoint({
    allow: 'sso.manage',
    stepUp: true,
    data: NewMailDomain,
    returns: MailDomain,
    summary: 'Name a mail domain; it counts once its record is found in DNS',
    run: mailDomains.create,
  }),
  updateById: endpoint({
    allow: 'sso.manage',
    stepUp: true,
    data: MailDomainChanges,
    readOnly: getReadOnlyMembers(
      MailDomain,
      MailDomainChanges,
      createRowReader(MailDomainOptions, mailDomains.find, 'mailDomainId'),
    ),
    returns: MailDomain,
    summary: 'Say whether people with an address of a mail domain come in by themselves, as viewers',
    run: mailDomains.updateById,
  }),
  deleteById: endpoint({
    allow: 'sso.manage',
    stepUp: true,
    returns: Deleted,
    summary: 'Give a mail domain up',
    run: mailDomains.deleteById,
  }),
}
