-- Lists of lessons tell how many questions a quiz has; the questions themselves may be long.
alter table education.quiz add column question_count integer not null
  generated always as (jsonb_array_length(questions)) stored;
