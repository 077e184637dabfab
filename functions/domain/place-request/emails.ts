import type { Mail, Settings } from '#functions/context.ts'
import { composeEmail, placeNameIn } from '#functions/domain/email/email.ts'

/** Notifies a person that the organization they requested was created. They chose its name themselves. */
export const placeMadeEmail = (to: string, name: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'Your organization is ready',
    lines: [
      `You asked for an organization on Commonplace: ${placeNameIn(name)} is there, and you are its administrator.`,
    ],
    link: { label: 'Start with your first data', path: '/' },
  })

/** Notifies a person that the organization they requested was declined. The reply is shown on the screen only. */
export const placeRefusedEmail = (to: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'Your request for an organization',
    lines: ['You asked for an organization on Commonplace. It was not made.'],
    link: { label: 'See the answer', path: '/organization/new' },
  })

/** Notifies a person that their request to join an organization was accepted. */
export const composeAcceptedEmail = (to: string, placeName: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'You are let into an organization',
    lines: [`You asked to join ${placeNameIn(placeName)} on Commonplace. You belong to its team now.`],
    link: { label: 'Go to Commonplace', path: '/' },
  })

/** Notifies a person that their request to join an organization was declined. */
export const composeDeclinedEmail = (to: string, placeName: string, settings: Settings): Mail =>
  composeEmail(to, settings, {
    subject: 'Your request to join an organization',
    lines: [
      `You asked to join ${placeNameIn(placeName)} on Commonplace. Its administrators have not let you in.`,
    ],
    link: { label: 'See the answer', path: '/organization/new' },
  })
