-- What a deleted person leaves is found by the member, also courses that they had left.
create index enrolment_to_erase on education.enrolment (user_id);
