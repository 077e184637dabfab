import { endpoint } from '#functions/api/endpoint.ts'
import * as joinRequests from '#functions/domain/place-request/join-requests.ts'
import {
  JoinAcceptance,
  JoinRequest,
  JoinRequestOptions,
  JoinRequests,
  NewJoinRequest,
  OwnRequest,
  Reply,
} from '#functions/shapes/place-request.ts'

/** Requests to join a place, and their approval by its admins. */
export const joinRequest = {
  find: endpoint({
    allow: 'joinRequest.read',
    options: JoinRequestOptions,
    returns: JoinRequests,
    run: joinRequests.find,
  }),
  create: endpoint({
    allow: 'place.start',
    data: NewJoinRequest,
    returns: OwnRequest,
    summary: 'Ask to be let into a place',
    run: joinRequests.create,
  }),
  accept: endpoint({
    allow: 'joinRequest.answer',
    http: { method: 'post', one: true },
    data: JoinAcceptance,
    returns: JoinRequest,
    summary: 'Let who asks into a place, with a role',
    run: joinRequests.accept,
  }),
  refuse: endpoint({
    allow: 'joinRequest.answer',
    http: { method: 'post', one: true },
    data: Reply,
    returns: JoinRequest,
    summary: 'Refuse who asks to be let into a place',
    run: joinRequests.refuse,
  }),
}
