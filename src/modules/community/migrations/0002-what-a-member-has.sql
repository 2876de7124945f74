-- What a member is in and has reacted to, for when they are deleted.
create index member_communities on community.member (user_id, community_id);
create index reaction_of_user on community.reaction (user_id, post_id);
